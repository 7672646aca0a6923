// ConfigSource: what git says of its version and of the config, asked in the background.
//
// What it says is kept until it is taken over: something else can keep the repository from being
// read. Why it refused is kept too, until one of the config's files changes or somebody asks.
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

  // All outlive this; `gate` may be null.
  ConfigSource(FileSystem& fs, const Repository& repository, MetadataGate* gate, BackgroundGit& git)
      : fs_(fs), repository_(repository), gate_(gate), git_(git) {}

  // kPending while git is asked. `known`: what holds so far, or null.
  Result<Config> config(const Config* known);
  Result<GitVersion> version(const GitProgram& program);

  // What git said to an earlier question than this tells of files that may have been half made.
  void want_as_of(RequestId moment) { wanted_ = moment; }
  bool wants_newer() const { return wanted_ != 0; }
  bool is_too_old() const { return asked_.heard < wanted_; }
  // Whether to ask once more, though no file tells of another config.
  bool is_to_be_asked_again() const { return git_.is_to_be_asked_again(asked_); }
  void invalidate_unsettled() { asked_.for_unsettled = 0; }
  void mark_applied();
  // When config() would ask again unasked. `known`: as taken over; null: not yet.
  BackgroundGit::DueTime due() const;
  BackgroundGit::DueTime due(const Config& known) const;
  // The files that a refusal depends on.
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
  std::optional<Said> said_;  // and not read yet
  std::optional<Config> kept_;
  std::optional<Error> error_;
  FileSet error_files_;
  RequestId version_task_ = 0;
  RequestId version_asked_ = 0;
  std::optional<GitProgram> version_program_;  // that was asked
  std::optional<Error> version_error_;
};

}  // namespace resident
