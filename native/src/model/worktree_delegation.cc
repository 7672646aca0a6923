// The part of WorktreeModel that lets git answer.
#include <utility>

#include "model/worktree_model.h"
#include "refs/head_files.h"
#include "worktree/ask_git.h"

namespace resident {

namespace {

// Of scans that are made before git answers, while the files that decide that change.
constexpr int kMostAttempts = 3;

}  // namespace

// What decides whether git has to answer.
std::vector<std::string> WorktreeModel::delegation_files() const {
  std::vector<std::string> files = {repository_.index_path, repository_.common_dir + "/config",
                                    repository_.git_dir + "/config.worktree",
                                    repository_.worktree + "/.gitmodules"};
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
    Result<void> result = scan_ourselves(control);
    if (result.ok() || result.error().code != ErrorCode::kUnsupported) return result;
    reason = std::move(result).error();
  }
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
    pending_ = {};
  }
  // What the tree found before it turned out that git must answer is told as git has it.
  for (const auto& [path, was] : tree_->take_touched().untracked)
    touched_untracked_.emplace(path, was);
  Result<void> followed = follow_git();
  if (!followed.ok())
    return Error{followed.error().code, delegated_ + "; git: " + followed.error().message};
  return {};
}

GitRunOptions WorktreeModel::git_options() const {
  GitRunOptions options;
  options.cwd = repository_.worktree;
  return options;
}

Result<void> WorktreeModel::follow_git() {
  (void)tree_->take_touched();
  StatusQuery query;
  query.untracked = UntrackedMode::kAll;
  query.branch = true;
  RESIDENT_TRY(StatusResult status, ask_git(query, git_options()));
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
  return {};
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
