// CurrentGit: the git on PATH, and the rules of its version.
//
// Threads: one owner.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "git/git_program.h"
#include "git/git_rules.h"
#include "repo_state/file_set.h"
#include "repo_state/version_question.h"

namespace resident {

class CurrentGit {
 public:
  // All parameters must outlive this object; `gate` may be null.
  CurrentGit(FileSystem& fs, MetadataGate* gate, BackgroundGit& git)
      : fs_(fs), gate_(gate), git_(git), version_(git) {}

  // After an error, the earlier program stays in use. kPending: git has been asked for its version.
  Result<void> load();
  // True: it may be another program, and its system config may differ.
  Result<bool> refresh();

  const GitRules& rules() const { return rules_; }
  // identity_of() the program with these rules.
  const std::string& identity() const { return identity_; }
  // Another git can answer differently.
  std::vector<std::string> files() const { return files_of(program_); }
  // A relative path depends on the working directory, so it is left out.
  static std::vector<std::string> files_of(const std::string& program);

 private:
  Result<GitRules> rules_of(const std::optional<GitProgram>& program);

  FileSystem& fs_;
  MetadataGate* const gate_;
  BackgroundGit& git_;
  VersionQuestion version_;
  std::string program_;  // its path
  std::string identity_;
  GitRules rules_;
  FileSet places_;  // the files that decide which program this is
};

}  // namespace resident
