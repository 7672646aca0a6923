// ConfigQuestion: asks git for the config, in the background.
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
#include "repo_state/background_git.h"

namespace resident {

class ConfigQuestion {
 public:
  using RequestId = BackgroundGit::RequestId;

  // `fs` and `git` must outlive this object, and `gate`, which may be null.
  ConfigQuestion(FileSystem& fs, ConfigPlace place, MetadataGate* gate, BackgroundGit& git)
      : fs_(fs), place_(std::move(place)), gate_(gate), git_(git) {}

  // kPending: git has not answered yet. `known`: the config in use, or null.
  Result<Config> ask(const Config* known);

  // Rejects answers to requests before `moment`: the files may have been incomplete then.
  void want_as_of(RequestId moment) { wanted_ = moment; }
  bool wants_newer() const { return wanted_ != 0; }
  // True if git must be asked again although no file has changed.
  bool is_to_be_asked_again() const { return git_.is_to_be_asked_again(asked_) || is_too_old(); }
  void invalidate_unsettled() { asked_.for_unsettled = 0; }
  void mark_applied();
  // The time at which ask() asks again by itself. `known`: the applied config; without `known`, no
  // config is applied yet.
  BackgroundGit::DueTime due() const;
  BackgroundGit::DueTime due(const Config& known) const;
  // The files on which a refusal depends.
  std::vector<std::string> files() const;

 private:
  struct Answer {
    Result<GitOutput> output;
    Timestamp asked_at;
  };

  bool is_too_old() const { return asked_.heard < wanted_; }
  void read_answer();
  bool holds_for_now() const;

  FileSystem& fs_;
  const ConfigPlace place_;
  MetadataGate* const gate_;
  BackgroundGit& git_;
  BackgroundGit::Asked asked_;
  RequestId wanted_ = 0;
  std::optional<Answer> answer_;  // not read yet
  std::optional<Config> kept_;
  std::optional<Error> error_;
  FileSet error_files_;
};

}  // namespace resident
