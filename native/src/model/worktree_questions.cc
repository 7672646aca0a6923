// The part of WorktreeModel that asks git in the background, and knows what it has not said yet.
#include <algorithm>
#include <utility>

#include "config/config_files.h"
#include "model/worktree_model.h"
#include "submodule/submodules.h"

namespace resident {

namespace {

using Clock = std::chrono::steady_clock;

// Unasked, what may be another thing though nothing tells so is asked again after so long.
constexpr std::chrono::seconds kAskAgain{1};
// What takes longer is given up, and said to be.
constexpr std::chrono::minutes kTimeLimit{10};
// What never settles (a file of tomorrow, one that cannot be seen) is asked again so often by
// itself.
constexpr int kMostUnsettled = 3;
// In place, a file that changes while its filter is asked is asked about again so often.
constexpr int kMostFilterTries = 3;

Error pending(const std::string& what) {
  return Error{ErrorCode::kPending, what + " has not answered yet"};
}

}  // namespace

bool WorktreeModel::is_to_be_asked_again(const LastAsked& last) const {
  if (tasks_.runs_in_place()) return true;
  return asked_ ? last.moment < *asked_ : Clock::now() - last.at >= kAskAgain;
}

void WorktreeModel::note_asked(LastAsked& last) const {
  last = {tasks_.next(), Clock::now(), last.for_unsettled + 1};
}

void WorktreeModel::note_heard(Asked& asked) {
  asked.task = 0;
  asked.heard = asked.moment;
  asked.at = Clock::now();
}

std::optional<Clock::time_point> WorktreeModel::due_again(const LastAsked& last) const {
  const bool is_given_up = last.for_unsettled > kMostUnsettled;
  if (is_given_up || tasks_.runs_in_place()) return std::nullopt;
  return last.at + kAskAgain;
}

std::optional<Clock::time_point> WorktreeModel::due_again(const LastAsked& last,
                                                          const FileSet& files) const {
  return files.is_settled() ? std::nullopt : due_again(last);
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
    Result<Config> config = said->output.ok()
                                ? Config::from_git(fs_, place, *said->output, said->asked_at)
                                : Result<Config>(said->output.error());
    config_error_.reset();
    config_kept_.reset();
    if (config.ok()) {
      config_kept_ = *std::move(config);
    } else {
      config_error_ = std::move(config).error();
    }
  }
  const bool is_outdated = config_asked_.heard < config_wanted_;
  if (config_kept_ && !is_outdated) {
    const bool is_of_this_question =
        asked_ ? config_asked_.heard >= *asked_
               : config_asked_.task == 0 && Clock::now() - config_asked_.at < kAskAgain;
    const bool is_fresh = !config_kept_->depends_on_head() && config_kept_->is_fresh(fs_);
    if (is_of_this_question || is_fresh) return *config_kept_;
  }
  const bool is_wanted = is_outdated || (asked_ && config_asked_.heard < *asked_);
  if (config_error_ && !is_wanted && !config_error_files_.differs(fs_, options_.gate) &&
      !is_to_be_asked_again(config_asked_, config_error_files_)) {
    return *config_error_;
  }
  if (config_asked_.task == 0) {
    std::vector<std::string> files = standard_config_files(place);
    if (state_) {
      for (std::string& file : state_->config().files()) files.push_back(std::move(file));
    }
    config_error_files_ = FileSet::record(fs_, std::move(files));
    const Timestamp asked_at = fs_.now();
    GitCommand command = Config::command(place);
    command.options.time_limit = kTimeLimit;
    note_asked(config_asked_);
    config_asked_.task = tasks_.start(std::move(command), {"git config"},
                                      [this, asked_at](Result<GitOutput> output) {
                                        note_heard(config_asked_);
                                        config_said_ = ConfigSaid{std::move(output), asked_at};
                                      });
  }
  return pending("git config");
}

// Of what update() would ask again then.
std::optional<Clock::time_point> WorktreeModel::question_due() const {
  std::optional<Clock::time_point> due;
  const auto note = [&due](std::optional<Clock::time_point> at) {
    if (at && (!due || *at < *due)) due = at;
  };
  if (!delegated_.empty()) {
    note(due_again(followed_, delegated_files_));
    if (git_outputs_hold_) note(due_again(followed_, answer_files_));
    return due;
  }
  if (config_error_) note(due_again(config_asked_, config_error_files_));
  if (failure_ || !state_ || state_->awaits_git()) return due;
  if (!state_->config().is_settled()) note(due_again(config_asked_));
  if (!has_gitlinks_) return due;
  note(due_again(gitmodules_asked_, submodule_files_));
  for (const auto& [position, known] : submodules_) {
    if (known.asked.task == 0) note(due_again(known.asked, known.files));
  }
  return due;
}

Result<GitVersion> WorktreeModel::ask_git_version(const GitProgram& program) {
  if (const auto version = known_git_version(program)) return *version;
  const bool is_wanted = asked_ && version_asked_ < *asked_;
  if (version_error_ && version_program_ == program && !is_wanted) return *version_error_;
  if (version_task_ == 0) {
    GitCommand command{.arguments = {"version"}, .options = {.program = program.path}};
    command.options.time_limit = kTimeLimit;
    const auto take = [this, program](const Result<GitOutput>& output) {
      version_task_ = 0;
      version_error_.reset();
      const auto version = output.ok() ? parse_git_version(output->out) : std::nullopt;
      if (version) return note_git_version(program, *version);
      version_error_ = output.ok() ? Error{ErrorCode::kUnsupported,
                                           program.path + ": it does not tell its version"}
                                   : output.error();
    };
    version_program_ = program;
    version_error_.reset();
    version_task_ = version_asked_ = tasks_.start(std::move(command), {"git version"}, take);
  }
  return pending("git version");
}

// --- Files that only a filter can tell

void WorktreeModel::ask_filters() {
  FilterQuestions& filters = content_.filters();
  const auto look = [this](const std::string& path) { look_after_filter(path); };
  for (int tries = 0; tries < kMostFilterTries && !filters.empty(); ++tries) {
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

bool WorktreeModel::is_pending(const Asked& asked) const {
  return asked.task != 0 && asked.heard < this->asked();
}

Result<void> WorktreeModel::check_gitmodules() const {
  if (!is_pending(gitmodules_asked_)) return {};
  return pending("git config of .gitmodules");
}

Result<void> WorktreeModel::check_submodule(const SubmoduleKnown& known) const {
  if (!is_pending(known.asked)) return {};
  return pending("git status of " + known.path);
}

Result<void> WorktreeModel::check_known() const {
  return state_ && state_->awaits_git() ? Result<void>(pending("git config")) : Result<void>();
}

// The same of what `query` wants to know.
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
  RESIDENT_CHECK(check_gitmodules());
  for (const auto& [position, known] : submodules_) {
    if (limit.has_entry(*index_, position)) RESIDENT_CHECK(check_submodule(known));
  }
  return {};
}

}  // namespace resident
