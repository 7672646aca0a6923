// CurrentConfig: the config in use, and the settings that follow from it.
//
// Threads: one owner.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/config.h"
#include "refs/ref_storage.h"
#include "repo_state/config_question.h"
#include "repo_state/current_git.h"
#include "repository/repository.h"
#include "status/settings.h"

namespace resident {

class CurrentConfig {
 public:
  // All parameters must outlive this object; `gate` may be null. `program` is loaded first.
  CurrentConfig(FileSystem& fs, const Repository& repository, MetadataGate* gate,
                BackgroundGit& git, const CurrentGit& program)
      : fs_(fs),
        repository_(repository),
        gate_(gate),
        git_(git),
        program_(program),
        question_(fs, place(repository), gate, git) {}

  // The place for which the config is asked.
  static ConfigPlace place(const Repository& repository);

  // A given `config` is a fresh result of Config::load. kPending: git has been asked.
  Result<void> load(std::optional<Config> config);
  // True if a value has changed. After an error, the earlier config stays in use, and the next call
  // tries again. `is_stale`: the config may have changed without a file.
  Result<bool> refresh(bool is_stale);
  // False if git must be asked, because of a file or by ConfigQuestion::is_to_be_asked_again().
  bool is_fresh();
  // False if a file has changed.
  bool is_as_read();
  // Reads the config without using it.
  Result<Config> read();

  // get() needs a load() without an error.
  const Config& get() const { return *config_; }
  const WorktreeSettings& settings() const { return settings_; }
  RefStorage ref_storage() const { return ref_storage_; }
  ConfigQuestion& question() { return question_; }
  std::vector<std::string> files() const;
  // The config files, and the files outside of the git directories that the config names.
  static std::vector<std::string> files_named_by(const Config& config,
                                                 const Repository& repository);

 private:
  Result<void> use(Config config);

  FileSystem& fs_;
  const Repository& repository_;
  MetadataGate* const gate_;
  BackgroundGit& git_;
  const CurrentGit& program_;
  ConfigQuestion question_;
  std::optional<Config> config_;
  bool is_stale_ = false;
  MetadataGate::Coverage coverage_;
  WorktreeSettings settings_;
  RefStorage ref_storage_ = RefStorage::kFiles;
  std::pair<std::string, bool> named_worktree_;  // the worktree's path; true: bare
  // Files named by a newer config than `config_`, which only git supports.
  std::vector<std::string> named_in_refused_;
};

}  // namespace resident
