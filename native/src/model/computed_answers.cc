// The answers of ComputedStatus.
#include "base/stopwatch.h"
#include "explain/explain.h"
#include "git_fallback/prompt_rows.h"
#include "history/branch_status.h"
#include "history/operation_state.h"
#include "model/answer_checks.h"
#include "model/computed_status.h"
#include "model/history_sources.h"
#include "model/stored_blobs.h"
#include "repo_state/user_files.h"
#include "status/untracked_view.h"

namespace resident {

namespace {

void count_rows(const TrackedRows& rows, PromptStatus& status) {
  for (const auto& [path, row] : rows.changed) count_row(row, status);
  status.conflicted = rows.unmerged.size();
}

std::string letter(Change change) {
  return std::string(1, static_cast<char>(change));
}

void add_changes_of(const SubmoduleState& submodule, std::vector<Difference>& differences) {
  if (submodule.new_commits) differences.push_back(Difference::kCommit);
  if (submodule.modified_content) differences.push_back(Difference::kModified);
  if (submodule.untracked_content) differences.push_back(Difference::kUntracked);
}

void add_row(const TrackedRows& rows, Explanation& explanation) {
  if (const auto found = rows.changed.find(explanation.path); found != rows.changed.end()) {
    const ChangedEntry& row = found->second;
    explanation.row =
        ExplainedRow{letter(row.index), letter(row.worktree), false, row.from, row.score};
    if (row.worktree != Change::kTypeChanged) {
      add_changes_of(row.submodule, explanation.differences);
    }
  }
  if (const auto found = rows.unmerged.find(explanation.path); found != rows.unmerged.end()) {
    const std::string_view letters = found->second.letters();
    explanation.row = ExplainedRow{
        std::string(letters.substr(0, 1)), std::string(letters.substr(1)), true, {}, 0};
    add_changes_of(found->second.submodule, explanation.differences);
  }
}

// True if `untracked` has `path`, or something below it.
bool has_at_or_below(const std::set<std::string>& untracked, const std::string& path) {
  if (path.empty()) return !untracked.empty();
  if (untracked.contains(path)) return true;
  const auto below = untracked.lower_bound(path + "/");
  return below != untracked.end() && below->starts_with(path + "/");
}

}  // namespace

// --- What the answers need

Result<void> ComputedStatus::check_known(const ModelView& view, const StatusQuery& query) {
  RESIDENT_CHECK(inputs_.check_config());
  const PathLimit limit = view.limit_of(query.pathspec);
  RESIDENT_CHECK(check_filters([&](const std::string& path) {
    const auto position = inputs_.index->find_path(path);
    return position && limit.has_entry(*inputs_.index, *position);
  }));
  if (query.ignore_submodules == IgnoreSubmodules::kAll) return {};
  return submodules_.check(*inputs_.index, limit);
}

// Like check_known(), for one path.
Result<void> ComputedStatus::check_known_at(const ModelView& view, const std::string& path) {
  RESIDENT_CHECK(inputs_.check_config());
  RESIDENT_CHECK(check_filters([&](const std::string& asked) { return asked == path; }));
  const auto entry = inputs_.index->find_path(path);
  if (!entry || !inputs_.index->entries()[*entry].is_gitlink()) return {};
  return submodules_.check(*inputs_.index, view.limit_of(nullptr));
}

Result<void> ComputedStatus::check_filters(const FilteredFiles::Counts& counts) {
  if (freshness_.filters().compare_outdated(counts)) RESIDENT_CHECK(update());
  return freshness_.filters().check(counts);
}

Result<void> ComputedStatus::with_rows(const ModelView& view, const StatusQuery& query,
                                       const std::function<void(const TrackedRows&)>& use) {
  if (rows_.are_of(query, submodules_)) {
    use(rows_.kept());
    return {};
  }
  RESIDENT_TRY(const TrackedRows rows, rows_.make(sources(view), query));
  use(rows);
  return {};
}

// --- The status

Result<StatusResult> ComputedStatus::answer(const StatusQuery& query, Warnings warnings) {
  const bool without_warnings = warnings == Warnings::kRefused;
  const ModelView view = this->view();
  RESIDENT_CHECK(check_known(view, query));
  if (without_warnings) RESIDENT_CHECK(check_no_warnings(sources(view), query));
  RESIDENT_CHECK(check_answerable(sources(view), query));
  const bool asks_attributes = query.pathspec && query.pathspec->asks_attributes();
  // The search for renames that are not kept reads other attributes.
  if (asks_attributes || query.renames || query.rename_score)
    inputs_.content.forget_outside_index();
  StatusResult result;
  bool git_warns = false;
  RESIDENT_CHECK(with_rows(view, query, [&](const TrackedRows& rows) {
    git_warns = rows.git_warns;
    for (const auto& [path, row] : rows.changed) result.changed.push_back(row);
    for (const auto& [path, row] : rows.unmerged) result.unmerged.push_back(row);
  }));
  const Stopwatch listing;
  RESIDENT_TRY(UntrackedLists lists,
               untracked_view(inputs_.fs, inputs_.repository.worktree, *inputs_.index,
                              *freshness_.tree().top,
                              {query.untracked, query.ignored, view.limit_of(query.pathspec),
                               inputs_.state.settings().ignore_case, without_warnings}));
  // For a pathspec with attributes, git reads those of every entry and of files that only HEAD has.
  // The lists above needed only those of untracked and changed files.
  const bool pathspec_warns = without_warnings && asks_attributes &&
                              inputs_.content.attributes_warn(staged_.removed_directories());
  if (without_warnings && (git_warns || lists.git_warns || pathspec_warns)) {
    return Error{ErrorCode::kUnsupported, "git warns about files that it cannot read"};
  }
  result.untracked = std::move(lists.untracked);
  result.ignored = std::move(lists.ignored);
  result.enumerating = freshness_.scan_time() + listing.elapsed();
  RESIDENT_CHECK(add_branch(view, query, result));
  if (without_warnings && result.branch && result.branch->git_warns) {
    return Error{ErrorCode::kUnsupported, "git warns about the settings of the upstream"};
  }
  if (query.operation) RESIDENT_CHECK(add_operation(view, result));
  if (query.stash) {
    RESIDENT_TRY(result.stash_count, count_stash(inputs_.state.refs()));
  }
  return result;
}

Result<void> ComputedStatus::add_branch(const ModelView& view, const StatusQuery& query,
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

Result<void> ComputedStatus::add_operation(const ModelView& view, StatusResult& result) const {
  // The push destination is unknown, so git may advise to push. It gives no such advice to a branch
  // that is behind.
  if (inputs_.state.git_rules().compares_with_push_branch && result.branch &&
      result.branch->push == BranchStatus::Push::kUnknown && result.branch->differs &&
      (!result.branch->counted || (result.branch->ahead > 0 && result.branch->behind == 0))) {
    return Error{ErrorCode::kUnsupported,
                 result.branch->name + ": the push destination depends on refspecs"};
  }
  RESIDENT_TRY(result.operation,
               read_operation_state(inputs_.state.head(), operation_sources(view)));
  RESIDENT_TRY(result.sparse_checkout, sparse_checkout(view));
  return {};
}

// --- Prompts

Result<PromptStatus> ComputedStatus::prompt(const PromptQuery& query) {
  const ModelView view = this->view();
  if (!inputs_.state.head().id && inputs_.state.head_is_ambiguous()) {
    return Error{ErrorCode::kUnsupported,
                 "before the first commit, HEAD can be the name of another ref"};
  }
  auto [asked, counts_changes] = prompt_rows(query, inputs_.state.config());
  // git may take a deleted file for the rename source of a conflicted file. Then no row shows the
  // deletion.
  if (!rows_.kept().unmerged.empty()) asked.renames = RenameMode::kOff;
  if (query.index) {
    RESIDENT_CHECK(check_known(view, asked));
    RESIDENT_CHECK(check_answerable(sources(view), asked));
  } else {
    RESIDENT_CHECK(inputs_.check_config());
  }
  PromptStatus status;
  status.worktree = inputs_.repository.worktree;
  RESIDENT_CHECK(count_branch(view));
  RESIDENT_CHECK(prompt_.fill(view, inputs_.versions, *branch_.get(), query, status));
  if (!query.index) return status;
  if (counts_changes) {
    RESIDENT_CHECK(
        with_rows(view, asked, [&](const TrackedRows& rows) { count_rows(rows, status); }));
  }
  if (asked.untracked == UntrackedMode::kNo) return status;
  RESIDENT_TRY(const UntrackedLists lists,
               untracked_view(inputs_.fs, inputs_.repository.worktree, *inputs_.index,
                              *freshness_.tree().top,
                              {asked.untracked, asked.ignored, view.limit_of(asked.pathspec),
                               inputs_.state.settings().ignore_case, false}));
  status.untracked = lists.untracked.size();
  return status;
}

// --- Single paths

Result<std::vector<bool>> ComputedStatus::ignored(const std::vector<std::string>& paths) {
  RESIDENT_CHECK(inputs_.check_config());
  std::vector<bool> answers;
  for (const std::string& path : paths) {
    Result<FileStat> stat = inputs_.fs.lstat(inputs_.repository.worktree + "/" + path);
    answers.push_back(
        freshness_.tree().is_ignored(path, stat.ok() && stat->kind == FileKind::kDirectory));
  }
  return answers;
}

Result<std::optional<std::string>> ComputedStatus::content(const std::string& path, int stage) {
  RESIDENT_CHECK(inputs_.check_config());
  RESIDENT_TRY(const std::optional<ObjectId> id, find_blob(view(), path, stage));
  if (!id) return std::optional<std::string>();
  RESIDENT_TRY(std::string blob, inputs_.state.objects().read_blob(*id));
  return std::optional(std::move(blob));
}

Result<Explanation> ComputedStatus::explain(const std::string& path, bool as_directory) {
  const ModelView view = this->view();
  RESIDENT_CHECK(check_known_at(view, path));
  const StatusQuery query;
  RESIDENT_CHECK(check_answerable(sources(view), query));

  const Config& config = inputs_.state.config();
  const RuleFiles files = {
      .info_exclude = inputs_.repository.common_dir + "/info/exclude",
      .excludes_file = user_excludes_file(config, inputs_.repository),
      .info_attributes = inputs_.repository.common_dir + "/info/attributes",
      .attributes_file = user_attributes_file(config, inputs_.repository),
      .system_attributes = system_attributes_file(),
  };
  const bool is_sparse = config.get_bool("core.sparsecheckout", false);
  const ContentCache none;
  const ExplainContext context = {
      .refresh = {inputs_.fs, inputs_.repository.worktree, *inputs_.index, inputs_.state.settings(),
                  inputs_.content, none},
      .states = freshness_.tree().entries.all(),
      .content = inputs_.content,
      .objects = inputs_.state.objects(),
      .excludes = inputs_.state.rules(),
      .files = files,
      .head_tree = inputs_.state.head_tree(),
      .sparse_patterns = is_sparse ? inputs_.state.sparse_patterns().text() : std::nullopt,
      .sparse_cone = inputs_.state.sparse_patterns().cone() != nullptr,
  };
  inputs_.content.forget_outside_index();
  RESIDENT_TRY(Explanation explanation, explain_path(context, path, as_directory));
  RESIDENT_CHECK(
      with_rows(view, query, [&](const TrackedRows& rows) { add_row(rows, explanation); }));
  explanation.untracked = has_at_or_below(freshness_.tree().untracked.all(), path);
  return explanation;
}

}  // namespace resident
