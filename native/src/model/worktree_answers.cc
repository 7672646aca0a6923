// The part of WorktreeModel that answers questions.
#include "base/cut_text.h"
#include "base/stopwatch.h"
#include "history/branch_status.h"
#include "history/operation_state.h"
#include "model/answer_checks.h"
#include "model/history_sources.h"
#include "model/stored_blobs.h"
#include "model/worktree_model.h"
#include "status/untracked_view.h"

namespace resident {

// A model without a watcher scans only once.
Result<void> WorktreeModel::come_up_to_date() {
  if (options_.watcher) return update();
  return failure_ ? Result<void>(*failure_) : Result<void>();
}

Result<StatusResult> WorktreeModel::answer(const StatusQuery& query) {
  RESIDENT_CHECK(come_up_to_date());
  if (is_delegated()) {
    // No machine-readable format of git shows the operation.
    if (query.operation) return Error{ErrorCode::kUnsupported, delegate_.reason()};
    return delegate_.ask_status(query);
  }
  Result<StatusResult> own = own_answer(query, false);
  const bool is_for_git = !own.ok() && own.error().code == ErrorCode::kUnsupported;
  if (!is_for_git || !options_.trusted || !options_.asks_git || query.operation) return own;
  // Earlier answers of git may be about a stale state.
  delegate_.forget();
  return delegate_.ask_status(query);
}

Result<StatusResult> WorktreeModel::answer_if_no_warnings(const StatusQuery& query) {
  if (failure_) return *failure_;
  if (is_delegated()) return Error{ErrorCode::kUnsupported, delegate_.reason()};
  const ModelView view = this->view();
  RESIDENT_CHECK(check_known(view, query));
  RESIDENT_CHECK(check_no_warnings(sources(view), query));
  return own_answer(query, true);
}

Result<void> WorktreeModel::check_known() const {
  RESIDENT_CHECK(barrier_.check(asked_at_));
  return state_->awaits_git() ? Result<void>(BackgroundGit::pending("git config")) : Result<void>();
}

// The same for the inputs of `query`.
Result<void> WorktreeModel::check_known(const ModelView& view, const StatusQuery& query) {
  RESIDENT_CHECK(check_known());
  const PathLimit limit = view.limit_of(query.pathspec);
  RESIDENT_CHECK(ask_filters_again([&](const std::string& path) {
    const auto position = index_->find_path(path);
    return position && limit.has_entry(*index_, *position);
  }));
  for (const std::string& path : content_.filters().paths()) {
    const auto position = index_->find_path(path);
    if (!position || !limit.has_entry(*index_, *position)) continue;
    if (!git_.runs_in_place()) return BackgroundGit::pending("the filter of " + path);
    return Error{ErrorCode::kUnsupported, path + ": the file keeps changing while the filter runs"};
  }
  if (query.ignore_submodules == IgnoreSubmodules::kAll) return {};
  return submodules_.check(*index_, limit);
}

Result<StatusResult> WorktreeModel::own_answer(const StatusQuery& query, bool without_warnings) {
  const ModelView view = this->view();
  RESIDENT_CHECK(check_known(view, query));
  RESIDENT_CHECK(check_answerable(sources(view), query));
  const bool asks_attributes = query.pathspec && query.pathspec->asks_attributes();
  // The search for renames that are not kept reads other attributes.
  if (asks_attributes || query.renames || query.rename_score) content_.forget_outside_index();
  StatusResult result;
  bool git_warns = false;
  const auto fill = [&](const StatusRows::Lists& rows) {
    git_warns |= rows.git_warns;
    for (const auto& [path, row] : rows.changed) result.changed.push_back(row);
    for (const auto& [path, row] : rows.unmerged) result.unmerged.push_back(row);
  };
  if (rows_.are_of(query, submodules_)) {
    fill(rows_.lists());
  } else {
    RESIDENT_TRY(const StatusRows::Lists rows, rows_.make(sources(view), query));
    fill(rows);
  }
  const Stopwatch listing;
  RESIDENT_TRY(UntrackedLists lists,
               untracked_view(fs_, repository_.worktree, *index_, *tree_->state().top,
                              {query.untracked, query.ignored, view.limit_of(query.pathspec),
                               state_->settings().ignore_case, without_warnings}));
  // For a pathspec with attributes, git reads those of every entry and of files that only HEAD has.
  // The lists above needed only those of untracked and changed files.
  const bool pathspec_warns = without_warnings && asks_attributes &&
                              content_.attributes_warn(staged_.removed_directories());
  if (without_warnings && (git_warns || lists.git_warns || pathspec_warns)) {
    return Error{ErrorCode::kUnsupported, "git warns about files that it cannot read"};
  }
  result.untracked = std::move(lists.untracked);
  result.ignored = std::move(lists.ignored);
  result.enumerating = scan_time_ + listing.elapsed();
  RESIDENT_CHECK(add_branch(view, query, result));
  if (without_warnings && result.branch && result.branch->git_warns) {
    return Error{ErrorCode::kUnsupported, "git warns about the settings of the upstream"};
  }
  if (query.operation) RESIDENT_CHECK(add_operation(view, result));
  if (query.stash) {
    RESIDENT_TRY(result.stash_count, count_stash(state_->refs()));
  }
  return result;
}

Result<void> WorktreeModel::add_branch(const ModelView& view, const StatusQuery& query,
                                       StatusResult& result) {
  if (!query.branch) return {};
  const Stopwatch counting;
  if (query.ahead_behind) {
    RESIDENT_CHECK(count_branch(view));
    result.branch = branch_.get();
  } else {
    RESIDENT_TRY(result.branch, branch_.read_uncounted(view));
  }
  result.counting = counting.elapsed();
  return {};
}

Result<void> WorktreeModel::add_operation(const ModelView& view, StatusResult& result) const {
  // The push destination is unknown, so git may advise to push. It gives no such advice to a branch
  // that is behind.
  if (state_->git_rules().compares_with_push_branch && result.branch &&
      result.branch->push == BranchStatus::Push::kUnknown && result.branch->differs &&
      (!result.branch->counted || (result.branch->ahead > 0 && result.branch->behind == 0))) {
    return Error{ErrorCode::kUnsupported,
                 result.branch->name + ": the push destination depends on refspecs"};
  }
  RESIDENT_TRY(result.operation, read_operation_state(state_->head(), operation_sources(view)));
  RESIDENT_TRY(result.sparse_checkout, sparse_checkout(view));
  return {};
}

Result<GitOutput> WorktreeModel::git_output(const std::vector<std::string>& arguments,
                                            const std::string& prefix) {
  GitCommand command = git_.command(arguments);
  if (!prefix.empty()) command.options.cwd += "/" + prefix;
  // These variables are part of the question, or a client that sets them runs git itself. They must
  // not come from this process.
  for (const char* change :
       {"LC_ALL=C", "LANGUAGE", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_PAGER_IN_USE", "GIT_TRACE", "PWD"}) {
    command.options.environment.emplace_back(change);
  }
  return delegate_.ask(command, {"git " + arguments.front()});
}

Result<std::vector<bool>> WorktreeModel::ignored(const std::vector<std::string>& paths) {
  if (options_.watcher) RESIDENT_CHECK(update());
  std::vector<bool> answers;
  if (is_delegated()) {
    std::string input;
    for (const std::string& path : paths) input.append(path).push_back('\0');
    GitCommand command = git_.command({"check-ignore", "-z", "--stdin"});
    command.input = std::move(input);
    RESIDENT_TRY(const GitOutput output, delegate_.ask(command, {"git check-ignore"}));
    std::set<std::string_view> found;
    for (std::string_view rest = output.out; !rest.empty();) found.insert(cut(rest, '\0'));
    for (const std::string& path : paths) answers.push_back(found.contains(path));
    return answers;
  }
  RESIDENT_CHECK(check_known());
  for (const std::string& path : paths) {
    Result<FileStat> stat = fs_.lstat(repository_.worktree + "/" + path);
    answers.push_back(
        tree_->state().is_ignored(path, stat.ok() && stat->kind == FileKind::kDirectory));
  }
  return answers;
}

Result<std::optional<std::string>> WorktreeModel::content(const std::string& path, int stage) {
  if (options_.watcher) RESIDENT_CHECK(update());
  if (is_delegated()) {
    std::string object = stage < 0 ? "HEAD" : ":" + std::to_string(stage);
    object.append(":").append(path);
    RESIDENT_TRY(GitOutput output,
                 delegate_.ask(git_.command({"cat-file", "blob", object}), {"git cat-file"}));
    if (output.exit_code != 0) return std::optional<std::string>();
    return std::optional(std::move(output.out));
  }
  RESIDENT_CHECK(check_known());
  RESIDENT_TRY(const std::optional<ObjectId> id, find_blob(view(), path, stage));
  if (!id) return std::optional<std::string>();
  RESIDENT_TRY(std::string blob, state_->objects().read_blob(*id));
  return std::optional(std::move(blob));
}

}  // namespace resident
