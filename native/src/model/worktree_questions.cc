// The part of WorktreeModel that asks git in the background, and knows what it has not said yet.
#include <algorithm>
#include <utility>

#include "model/worktree_model.h"
#include "submodule/submodules.h"

namespace resident {

namespace {

using Clock = std::chrono::steady_clock;

// Unasked, what may be another thing though nothing tells so is asked again after so long.
constexpr std::chrono::seconds kAskAgain{1};
// What takes longer is given up, and said to be.
constexpr std::chrono::minutes kTimeLimit{10};
// In place, a file that changes while its filter is asked is asked about again so often.
constexpr int kMostTries = 3;

Error pending(const std::string& what) {
  return Error{ErrorCode::kPending, what + " has not answered yet"};
}

}  // namespace

bool WorktreeModel::is_to_be_asked_again(Moment asked, Clock::time_point at) const {
  if (tasks_.runs_in_place()) return true;
  return asked_ ? asked < *asked_ : Clock::now() - at >= kAskAgain;
}

GitCommand WorktreeModel::git_command(std::vector<std::string> arguments) const {
  GitCommand command;
  command.arguments = std::move(arguments);
  command.options.cwd = repository_.worktree;
  if (!tasks_.runs_in_place()) command.options.time_limit = kTimeLimit;
  return command;
}

Result<Config> WorktreeModel::ask_config() {
  const ConfigPlace place = RepositoryState::config_place(repository_);
  if (std::optional<ConfigSaid> said = std::exchange(config_said_, std::nullopt)) {
    RESIDENT_TRY(const GitOutput output, std::move(said->output));
    return Config::from_git(fs_, place, output, said->asked_at);
  }
  if (config_task_ == 0) {
    const Timestamp asked_at = fs_.now();
    GitCommand command = Config::command(place);
    command.options.time_limit = kTimeLimit;
    config_asked_at_ = Clock::now();
    config_task_ = config_asked_ = tasks_.start(
        std::move(command), {"git config"}, [this, asked_at](Result<GitOutput> output) {
          config_task_ = 0;
          config_said_ = ConfigSaid{std::move(output), asked_at};
        });
  }
  return pending("git config");
}

Result<GitVersion> WorktreeModel::ask_git_version(const GitProgram& program) {
  if (const auto version = known_git_version(program)) return *version;
  if (auto error = std::exchange(version_error_, std::nullopt)) return *std::move(error);
  if (version_task_ == 0) {
    GitCommand command{.arguments = {"version"}, .options = {.program = program.path}};
    command.options.time_limit = kTimeLimit;
    const auto take = [this, program](const Result<GitOutput>& output) {
      version_task_ = 0;
      const auto version = output.ok() ? parse_git_version(output->out) : std::nullopt;
      if (version) return note_git_version(program, *version);
      version_error_ = output.ok() ? Error{ErrorCode::kUnsupported,
                                           program.path + " version: " + output->out + output->err}
                                   : output.error();
    };
    version_task_ = tasks_.start(std::move(command), {"git version"}, take);
  }
  return pending("git version");
}

// --- Files that only a filter can tell

void WorktreeModel::ask_filters() {
  FilterQuestions& filters = content_.filters();
  const auto look = [this](const std::string& path) { look_after_filter(path); };
  for (int tries = 0; tries < kMostTries && !filters.empty(); ++tries) {
    filters.ask_git(tasks_, repository_.worktree, look);
    if (!tasks_.runs_in_place()) return;
    (void)tasks_.deliver();
  }
}

// Where a scan is due, it looks at everything.
void WorktreeModel::look_after_filter(const std::string& path) {
  if (scanned_ && desynced_.empty() && delegated_.empty()) (void)tree_->look_at(path);
}

// Attributes or filters changed.
void WorktreeModel::compare_again() {
  const std::vector<std::string> paths = content_.filters().paths();
  content_.filters().drop_all(tasks_);
  tree_->forget_looks();
  for (const std::string& path : paths) (void)tree_->look_at(path);
}

// Than are in the index.
void WorktreeModel::drop_filters_of_others() {
  for (const std::string& path : content_.filters().paths()) {
    if (!index_->find_path(path)) content_.filters().drop(path);
  }
}

// --- What a question has to wait for

bool WorktreeModel::is_pending(const SubmoduleKnown& known) const {
  return known.task != 0 && known.asked < asked();
}

// kPending where git has yet to say what every question depends on.
Result<void> WorktreeModel::check_known() const {
  return state_->awaits_git() ? Result<void>(pending("git config")) : Result<void>();
}

// And what `query` wants to know.
Result<void> WorktreeModel::check_known(const StatusQuery& query) {
  RESIDENT_CHECK(check_known());
  const PathLimit limit = limit_of(query.pathspec);
  const FilterQuestions& filters = content_.filters();
  if (!filters.empty()) {
    for (const std::string& path : filters.paths()) {
      const auto position = index_->find_path(path);
      if (!position || !limit.has_entry(*index_, *position)) continue;
      if (!tasks_.runs_in_place()) return pending("the filter of " + path);
      return Error{ErrorCode::kUnsupported, path + ": it changes while its filter is asked"};
    }
  }
  if (!has_gitlinks_ || query.ignore_submodules == IgnoreSubmodules::kAll) return {};
  if (gitmodules_task_ != 0) return pending("git config of .gitmodules");
  for (const auto& [position, known] : submodules_) {
    if (is_pending(known) && limit.has_entry(*index_, position)) {
      return pending("git status of " + known.path);
    }
  }
  return {};
}

}  // namespace resident
