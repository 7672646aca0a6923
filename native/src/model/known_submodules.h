// KnownSubmodules: how the submodules of a worktree stand, as git says in each of them, and what
// .gitmodules says of them.
//
// What git says of a submodule holds while the outside programs that it can ask hold: those of the
// user's and the system's config, and those of the submodule's own. Otherwise git is asked again
// with each question.
//
// git is asked in the background; until it has answered, a submodule stays as it was. A submodule
// is asked again when something happens below it, when one of the files around it changes, and
// where nothing tells of that, with every question.
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
    // Begins a scan of the submodule at that absolute path. Empty: git is asked in it.
    StartScan scan;
    // git reads again what it could not read before: a submodule, or .gitmodules.
    std::function<void(const std::string& path)> readable_again;
    // Something may be otherwise in a submodule that nothing in its worktree told.
    std::function<void(const std::string& path)> changed;
  };
  struct Known {
    std::string path = {};  // from the root
    ObjectId in_index = {};
    SubmoduleState state = {};
    FileSet files = {};
    bool files_tell = true;         // nothing but `files` and what is watched decides `state`
    OutsidePrograms programs = {};  // of its own config
    std::shared_ptr<const OutsidePrograms> programs_around;  // null: git was not asked
    bool git_warns = false;
    std::optional<Error> error = {};
    BackgroundGit::Asked asked = {};
    std::unique_ptr<SubmoduleScan> scan = {};  // that is under way, in place of a task
  };

  explicit KnownSubmodules(Setup setup) : setup_(std::move(setup)) {}

  // Takes over what happened: `touched` are positions of gitlinks below which something did,
  // `untold` says that nothing tells of that. Fails with what git said to fail, but for what it
  // said before a question was put that awaits an answer.
  Result<void> update(const ModelView& view, InputVersions& versions, std::set<uint32_t> touched,
                      bool unreported);
  // Positions whose row may be another one. All rows are where causes.binding or .index changed.
  std::set<uint32_t> consume_touched() { return std::exchange(touched_, {}); }

  // There are some in the index, at any stage.
  bool any() const { return any_; }
  bool empty() const { return by_position_.empty(); }
  // Those of stage 0, by position.
  const std::map<uint32_t, Known>& by_position() const { return by_position_; }
  // Whether what changes in the submodule is told by its files, or by what is watched.
  bool tells_changes(uint32_t position) const;
  // What git complains about; "": nothing.
  std::string what_git_warns_of() const;
  // kPending while git is asked about what is within the limit.
  Result<void> check(const Index& index, const PathLimit& limit) const;

  // What `query` and config leave to be seen of a submodule; nullopt: none is there.
  std::optional<SubmoduleState> visible(uint32_t position, const StatusQuery& query) const;
  // Nothing of a submodule at that path is to be told.
  bool is_ignored(const std::string& path, const StatusQuery& query) const {
    return !ignores_.visible(path, {}, query);
  }
  IgnoreSubmodules ignored(const std::string& path, const StatusQuery& query) const {
    return ignores_.mode(path, query);
  }

  // When update() would ask again unasked.
  BackgroundGit::DueTime due() const;
  void add_files(std::vector<std::string>& files) const;
  // What git is asked by scans for which they have waited longest.
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
  std::set<uint32_t> touched_;
  // Of the user's and the system's config, as of the last question to git.
  std::shared_ptr<const OutsidePrograms> programs_around_;
  // What gitlinks and .gitmodules were found in; unset: they are to be found again.
  std::optional<Counts> found_in_;
  // What git made their states with.
  std::optional<Counts> looked_with_;

  SubmoduleIgnores ignores_;
  FileSet gitmodules_files_;
  BackgroundGit::Asked gitmodules_asked_;
  std::optional<Error> gitmodules_error_;
  uint64_t ignores_read_ = 0;  // how often
};

}  // namespace resident
