// ConfigSource: git's version and config, asked in the background.
//
// An answer is kept until it is applied, because another problem can block the reading of the
// repository. A refusal is kept until a config file changes or a question comes.
//
// Threads: the model's owner.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "git/git_program.h"
#include "git/git_version.h"
#include "repo_state/background_git.h"
#include "repository/repository.h"

namespace resident {

class ConfigSource {
 public:
  using RequestId = BackgroundGit::RequestId;

  // All parameters must outlive this object; `gate` may be null.
  ConfigSource(FileSystem& fs, const Repository& repository, MetadataGate* gate, BackgroundGit& git)
      : fs_(fs), repository_(repository), gate_(gate), git_(git) {}

  // kPending: git has not answered yet. `known`: the config in use, or null.
  Result<Config> config(const Config* known);
  Result<GitVersion> version(const GitProgram& program);

  // Rejects answers to requests before `moment`: the files may have been incomplete then.
  void want_as_of(RequestId moment) { wanted_ = moment; }
  bool wants_newer() const { return wanted_ != 0; }
  bool is_too_old() const { return asked_.heard < wanted_; }
  // True if git must be asked again although no file has changed.
  bool is_to_be_asked_again() const { return git_.is_to_be_asked_again(asked_); }
  void invalidate_unsettled() { asked_.for_unsettled = 0; }
  void mark_applied();
  // The time at which config() asks again by itself. `known`: the applied config; without `known`,
  // no config is applied yet.
  BackgroundGit::DueTime due() const;
  BackgroundGit::DueTime due(const Config& known) const;
  // The files on which a refusal depends.
  std::vector<std::string> files() const;

 private:
  struct Said {
    Result<GitOutput> output;
    Timestamp asked_at;
  };

  void read_what_was_said(const ConfigPlace& place);
  bool holds_for_now() const;

  FileSystem& fs_;
  const Repository& repository_;
  MetadataGate* const gate_;
  BackgroundGit& git_;
  BackgroundGit::Asked asked_;
  RequestId wanted_ = 0;
  std::optional<Said> said_;  // not read yet
  std::optional<Config> kept_;
  std::optional<Error> error_;
  FileSet error_files_;
  RequestId version_task_ = 0;
  RequestId version_asked_ = 0;
  std::optional<GitProgram> version_program_;  // the program that was asked
  std::optional<Error> version_error_;
};

}  // namespace resident
