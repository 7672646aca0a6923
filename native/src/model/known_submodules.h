// KnownSubmodules: keeps the state of a worktree's submodules, from git's status in each, and the
// settings of .gitmodules.
//
// git's status of a submodule stays valid while the outside programs that it can run are unchanged.
// These are the programs in the user's and the system's config, and in the submodule's own. If one
// changed, each question asks git again.
//
// git is asked in the background. Until it answers, a submodule keeps its last state. A submodule
// is asked again when something changes below it or in a file around it. If changes there cannot be
// detected, every question asks again.
//
// Threads: the model's owner.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "filter/outside_programs.h"
#include "model/model_view.h"
#include "repo_state/background_git.h"
#include "submodule/submodule_files.h"
#include "submodule/submodules.h"

namespace resident {

inline constexpr const char* kGitmodules = ".gitmodules";

class KnownSubmodules {
 public:
  using StartScan = std::function<std::unique_ptr<SubmoduleScan>(const std::string& path)>;
  struct Setup {
    FileSystem& fs;
    const Repository& repository;
    MetadataGate* gate;  // may be null
    BackgroundGit& git;
    std::function<const Config&()> config;
    // Starts a scan of the submodule at this absolute path. Empty: git is asked for its status.
    StartScan scan;
    // git can read a submodule, or .gitmodules, that it could not read before.
    std::function<void(const std::string& path)> readable_again;
    // A submodule may have changed without a worktree event.
    std::function<void(const std::string& path)> changed;
    // The row at this position may have changed. If `index` or `binding` of InputVersions changed,
    // all rows may have.
    std::function<void(uint32_t position)> touched;
  };
  struct Known {
    std::string path = {};  // from the root
    ObjectId in_index = {};
    SubmoduleState state = {};
    FileSet files = {};
    bool files_tell = true;         // only `files` and watched directories decide `state`
    OutsidePrograms programs = {};  // named by the submodule's own config
    std::shared_ptr<const OutsidePrograms> programs_around;  // null: git was not asked
    bool git_warns = false;
    std::optional<Error> error = {};
    BackgroundGit::Asked asked = {};
    std::unique_ptr<SubmoduleScan> scan = {};  // running in place of a task
  };

  explicit KnownSubmodules(Setup setup) : setup_(std::move(setup)) {}

  // Applies changes. `touched`: positions of gitlinks with changes below them. `unreported`:
  // changes below submodules may come without events. Fails with git's last error, but not while a
  // question still waits for a newer answer.
  Result<void> update(const ModelView& view, InputVersions& versions, std::set<uint32_t> touched,
                      bool unreported);

  // True if the index has submodules, at any stage.
  bool any() const { return any_; }
  bool empty() const { return by_position_.empty(); }
  // Submodules at stage 0, by position.
  const std::map<uint32_t, Known>& by_position() const { return by_position_; }
  // True if every change in the submodule is reported, by its files or by a watch.
  bool tells_changes(uint32_t position) const;
  // The path that git warns about; "": none.
  std::string what_git_warns_of() const;
  // kPending while git is asked about a submodule within the limit.
  Result<void> check(const Index& index, const PathLimit& limit) const;

  // The state that `query` and config let a reader see; nullopt: no submodule is known at this
  // position.
  std::optional<SubmoduleState> visible(uint32_t position, const StatusQuery& query) const;
  // True if no change of the submodule at `path` is shown.
  bool is_ignored(const std::string& path, const StatusQuery& query) const {
    return !ignores_.visible(path, {}, query);
  }
  IgnoreSubmodules ignored(const std::string& path, const StatusQuery& query) const {
    return ignores_.mode(path, query);
  }

  // When update() will ask again without a question.
  BackgroundGit::DueTime due() const;
  void add_files(std::vector<std::string>& files) const;
  // The request of a scan that has waited longest.
  std::optional<GitTasks::Awaited> awaited_by_scans() const;

 private:
  using Counts = std::array<uint64_t, 4>;

  void find_gitlinks(const ModelView& view, std::set<uint32_t>& to_look);
  Result<void> update_gitmodules(const ModelView& view);
  void apply_gitmodules(const Result<GitOutput>* said);
  void look(const ModelView& view, uint32_t position);
  void ask(Known& known);
  void record_programs();
  void find_other_programs(std::set<uint32_t>& to_look) const;
  void take(BackgroundGit::RequestId task, const Result<GitOutput>& said);
  void go_on(uint32_t position, Known& known);
  void conclude(uint32_t position, Known& known, const Result<StatusResult>& status);
  Result<void> check_errors() const;
  Result<void> check_gitmodules() const;
  Result<void> check_known(const Known& known) const;

  const Setup setup_;
  bool any_ = false;
  std::map<uint32_t, Known> by_position_;
  // Programs of the user's and the system's config, as of the last question to git.
  std::shared_ptr<const OutsidePrograms> programs_around_;
  // Input versions of the known gitlinks and .gitmodules; unset: search again.
  std::optional<Counts> found_in_;
  // Input versions of the states that git reported.
  std::optional<Counts> looked_with_;

  SubmoduleIgnores ignores_;
  FileSet gitmodules_files_;
  BackgroundGit::Asked gitmodules_asked_;
  std::optional<Error> gitmodules_error_;
  uint64_t ignores_read_ = 0;  // number of reads
};

}  // namespace resident
