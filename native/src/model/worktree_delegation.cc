// The part of WorktreeModel that lets git answer.
#include <algorithm>
#include <string_view>
#include <utility>

#include "model/answer_files.h"
#include "model/worktree_model.h"
#include "refs/head_files.h"
#include "repository/nested_repository.h"
#include "status/ask_git.h"
#include "submodule/submodule_files.h"

namespace resident {

namespace {

// Of scans that are made before git answers, while the files that decide that change.
constexpr int kMostAttempts = 3;

// An id in hexadecimal digits, as git names an object that it cannot read.
bool names_object(std::string_view words, HashAlgorithm algorithm) {
  const size_t length = 2 * hash_size(algorithm);
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (size_t at = 0; (at = words.find_first_of(kDigits, at)) != words.npos;) {
    const size_t end = std::min(words.find_first_not_of(kDigits, at), words.size());
    if (end - at == length) return true;
    at = end;
  }
  return false;
}

}  // namespace

// What decides whether git has to answer.
std::vector<std::string> WorktreeModel::delegation_files() const {
  std::vector<std::string> files = {repository_.index_path, repository_.common_dir + "/config",
                                    repository_.git_dir + "/config.worktree",
                                    repository_.worktree + "/.gitmodules",
                                    // Without these it is none of git's.
                                    repository_.objects_dir, repository_.common_dir + "/refs"};
  for (std::string& file : files_around_head(fs_, repository_.git_dir, repository_.common_dir)) {
    files.push_back(std::move(file));
  }
  if (!state_) return files;
  for (std::string& file : state_->files()) files.push_back(std::move(file));
  for (std::string& file : state_->objects().listed_files()) files.push_back(std::move(file));
  return files;
}

// From here on git answers. The tree is kept only to tell when something happens.
Result<void> WorktreeModel::delegate(Error reason, WorktreeTree::ScanControl control) {
  if (!options_.trusted) {
    return Error{
        ErrorCode::kUnsafe,
        reason.message + "; only git can answer, and it is not asked in an untrusted workspace"};
  }
  if (!options_.asks_git) return reason;
  // Any of these files may have been half made when it was read and whole when it was recorded, so
  // that nothing would ever tell to try again: what counts is a failure of what was read later.
  for (int attempts = 0; options_.watcher && attempts < kMostAttempts; ++attempts) {
    FileSet files = FileSet::record(fs_, delegation_files());
    if (files.paths() == delegated_files_.paths()) break;
    delegated_files_ = std::move(files);
    if (!tasks_.runs_in_place()) config_wanted_ = tasks_.next();
    Result<void> result = scan_ourselves(control);
    if (result.ok() || result.error().code != ErrorCode::kUnsupported) return result;
    reason = std::move(result).error();
  }
  config_wanted_ = 0;
  content_.filters().drop_all(tasks_);
  if (delegated_.empty()) {
    untracked_by_git_ = scanned_ ? tree_->untracked() : std::set<std::string>();
  }
  delegated_ = std::move(reason.message);
  if (options_.watcher) {
    RESIDENT_TRY(std::shared_ptr<const Index> none,
                 Index::load("", {.algorithm = repository_.algorithm}));
    control.watch_only = true;
    RESIDENT_CHECK(tree_->scan(std::move(none), {}, {}, control));
    scanned_ = true;
    desynced_.clear();
    (void)pending_.take();
  }
  // What the tree found before it turned out that git must answer is told as git has it.
  for (const auto& [path, was] : tree_->take_touched().untracked)
    touched_untracked_.emplace(path, was);
  return follow_git();
}

Result<StatusResult> WorktreeModel::ask_git_kept(const StatusQuery& query) {
  return ask_git(query, [this](const std::vector<std::string>& arguments) {
    return git_outputs_.ask(git_command(arguments), {"git status"}, asked());
  });
}

Result<GitOutput> WorktreeModel::git_output(const std::vector<std::string>& arguments,
                                            const std::string& prefix) {
  GitCommand command = git_command(arguments);
  if (!prefix.empty()) command.options.cwd += "/" + prefix;
  // What a question brings along, and who asks one that is kept has left to git.
  command.options.environment = {"LC_ALL=C",
                                 "LANGUAGE",
                                 "GIT_LITERAL_PATHSPECS",
                                 "GIT_GLOB_PATHSPECS",
                                 "GIT_NOGLOB_PATHSPECS",
                                 "GIT_ICASE_PATHSPECS",
                                 "GIT_PAGER_IN_USE",
                                 "GIT_TRACE",
                                 "PWD"};
  return git_outputs_.ask(command, {"git " + arguments.front()}, asked());
}

// Everything around the worktree that decides what git says; nullopt where that is more than can be
// looked at.
std::optional<std::vector<std::string>> WorktreeModel::files_of_answers() {
  // What no watch tells of, or what comes from elsewhere too.
  if (tree_->polls() || tree_->linked_beyond() > 0 ||
      repository_.objects_dir != repository_.common_dir + "/objects") {
    return std::nullopt;
  }
  Result<std::vector<std::string>> around = std::vector<std::string>();
  if (state_) {
    around = state_->files();
  } else {
    around = RepositoryState::files_around(
        repository_, tasks_.runs_in_place()
                         ? Config::load(fs_, RepositoryState::config_place(repository_))
                         : ask_config());
  }
  if (!around.ok()) return std::nullopt;
  std::vector<std::string> git_dirs = {repository_.git_dir, repository_.common_dir};
  for (const std::string& path : tree_->directories_with_dot_git()) {
    const std::string directory = repository_.worktree + "/" + path;
    if (!submodule_files(fs_, directory, repository_.algorithm).complete) return std::nullopt;
    const std::string git_dir = git_directory_of(fs_, directory);
    if (git_dir.empty()) continue;
    git_dirs.push_back(git_dir);
    git_dirs.push_back(common_directory_of(fs_, git_dir));
  }
  std::optional<std::vector<std::string>> files = answer_files(fs_, git_dirs);
  if (!files) return std::nullopt;
  files->insert(files->end(), around->begin(), around->end());
  files->push_back(repository_.index_path);
  return files;
}

// As they are before anything of them is read: what git says of its config has to be of later.
void WorktreeModel::record_delegation_files() {
  delegated_files_ = FileSet::record(fs_, delegated_files_.paths());
  if (tasks_.runs_in_place()) return;
  note_asked(followed_);
  config_wanted_ = followed_.moment;
}

// Takes in what happened while git answers.
Result<void> WorktreeModel::take_in_for_git() {
  // Perhaps what only git could answer is gone.
  const bool other_files = delegated_files_.differs(fs_, options_.gate);
  const bool may_be_ours = other_files || is_to_be_asked_again(followed_, delegated_files_);
  if (other_files) followed_.for_unsettled = 0;
  if (may_be_ours) record_delegation_files();
  if (may_be_ours || !desynced_.empty()) {
    // Whatever the scan comes to: it was said of what is no more.
    git_outputs_.forget();
    git_outputs_hold_ = false;
    return scan();
  }
  if (!look_at_pending()) return take_in_for_git();
  const bool happened = tree_->take_touched().anything;
  const bool differs = happened || (git_outputs_hold_ && answer_files_.differs(fs_, options_.gate));
  const bool again = git_outputs_hold_ ? is_to_be_asked_again(followed_, answer_files_)
                                       : is_to_be_asked_again(followed_);
  if (differs) followed_.for_unsettled = 0;
  return differs || again ? follow_git() : tell_as_git();
}

// Asks git for what rows and deltas describe, and keeps what else it is asked until something
// changes.
Result<void> WorktreeModel::follow_git() {
  (void)tree_->take_touched();
  git_outputs_.forget();
  // As they are before git reads them.
  answer_files_ = FileSet::record_found(fs_, [this] {
    std::optional<std::vector<std::string>> files = files_of_answers();
    git_outputs_hold_ = files.has_value();
    return std::move(files).value_or(std::vector<std::string>());
  });
  note_asked(followed_);
  return tell_as_git();
}

// Until git has answered, rows and refusal stay as they were; an answer that is out of date already
// is better than what was told before.
Result<void> WorktreeModel::tell_as_git() {
  const auto refusal = [this] {
    return git_refusal_ ? Result<void>(*git_refusal_) : Result<void>();
  };
  if (told_as_git_ >= followed_.moment) return refusal();
  StatusQuery query;
  query.untracked = UntrackedMode::kAll;
  query.branch = true;
  GitCommand command;
  const auto ask = [&](const std::vector<std::string>& arguments) {
    command = git_command(arguments);
    return git_outputs_.ask(command, {"git status"}, followed_.moment);
  };
  Result<StatusResult> status = ask_git(query, ask);
  const bool is_final = status.ok() || status.error().code != ErrorCode::kPending;
  if (!is_final) {
    const Result<GitOutput>* before = git_outputs_.last_said(command, told_as_git_);
    if (!before) return refusal();
    status = ask_git(query, [before](const std::vector<std::string>&) { return *before; });
  }
  told_as_git_ = is_final ? followed_.moment : followed_.moment - 1;
  followed_.at = std::chrono::steady_clock::now();
  git_refusal_.reset();
  if (status.ok()) {
    take_rows_of_git(*std::move(status));
    return {};
  }
  git_refusal_ = Error{status.error().code, delegated_ + "; git: " + status.error().message};
  // What ended before it had an answer is asked again, and so is what an object is to blame for:
  // that may be mended in place, which nothing tells.
  git_outputs_hold_ &= status.error().code == ErrorCode::kCorrupt &&
                       !names_object(status.error().message, repository_.algorithm);
  return *git_refusal_;
}

void WorktreeModel::take_rows_of_git(StatusResult status) {
  Rows rows;
  for (ChangedEntry& entry : status.changed) rows.changed.emplace(entry.path, entry);
  for (UnmergedEntry& entry : status.unmerged) rows.unmerged.emplace(entry.path, entry);
  replace_rows(std::move(rows));
  std::set<std::string> now(status.untracked.begin(), status.untracked.end());
  note_untracked(untracked_by_git_, now);
  untracked_by_git_ = std::move(now);
  // Not what we would make of the branch's files.
  branch_ = status.branch;
  branch_differs_ = true;
}

void WorktreeModel::note_untracked(const std::set<std::string>& before,
                                   const std::set<std::string>& after) {
  for (const std::string& path : before) {
    if (!after.contains(path)) touched_untracked_.emplace(path, true);
  }
  for (const std::string& path : after) {
    if (!before.contains(path)) touched_untracked_.emplace(path, false);
  }
}

const std::set<std::string>& WorktreeModel::untracked() const {
  return delegated_.empty() ? tree_->untracked() : untracked_by_git_;
}

}  // namespace resident
