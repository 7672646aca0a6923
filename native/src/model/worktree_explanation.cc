// The part of WorktreeModel that explains the status of a path.
#include "explain/explain.h"
#include "model/answer_checks.h"
#include "model/worktree_model.h"
#include "repo_state/user_files.h"

namespace resident {

namespace {

std::string letter(Change change) {
  return std::string(1, static_cast<char>(change));
}

void add_changes_of(const SubmoduleState& submodule, std::vector<Difference>& differences) {
  if (submodule.new_commits) differences.push_back(Difference::kCommit);
  if (submodule.modified_content) differences.push_back(Difference::kModified);
  if (submodule.untracked_content) differences.push_back(Difference::kUntracked);
}

void add_row(const StatusRows::Lists& rows, Explanation& explanation) {
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

Result<Explanation> WorktreeModel::explain(const std::string& path, bool as_directory) {
  RESIDENT_CHECK(come_up_to_date());
  if (is_delegated()) return Error{ErrorCode::kUnsupported, delegate_.reason()};
  const ModelView view = this->view();
  RESIDENT_CHECK(check_known_at(view, path));
  const StatusQuery query;
  RESIDENT_CHECK(check_answerable(sources(view), query));

  const Config& config = state_->config();
  const RuleFiles files = {
      .info_exclude = repository_.common_dir + "/info/exclude",
      .excludes_file = user_excludes_file(config, repository_),
      .info_attributes = repository_.common_dir + "/info/attributes",
      .attributes_file = user_attributes_file(config, repository_),
      .system_attributes = system_attributes_file(),
  };
  const bool is_sparse = config.get_bool("core.sparsecheckout", false);
  const ContentCache none;
  const ExplainContext context = {
      .refresh = {fs_, repository_.worktree, *index_, state_->settings(), content_, none},
      .states = tree_->state().entries.all(),
      .content = content_,
      .objects = state_->objects(),
      .excludes = state_->rules(),
      .files = files,
      .head_tree = state_->head_tree(),
      .sparse_patterns = is_sparse ? state_->sparse_patterns().text() : std::nullopt,
      .sparse_cone = state_->sparse_patterns().cone() != nullptr,
  };
  content_.forget_outside_index();
  RESIDENT_TRY(Explanation explanation, explain_path(context, path, as_directory));
  if (rows_.are_of(query, submodules_)) {
    add_row(rows_.lists(), explanation);
  } else {
    RESIDENT_TRY(const StatusRows::Lists rows, rows_.make(sources(view), query));
    add_row(rows, explanation);
  }
  explanation.untracked = has_at_or_below(tree_->state().untracked.all(), path);
  return explanation;
}

// Like check_known(), for one path.
Result<void> WorktreeModel::check_known_at(const ModelView& view, const std::string& path) {
  RESIDENT_CHECK(check_known());
  RESIDENT_CHECK(ask_filters_again([&](const std::string& asked) { return asked == path; }));
  for (const std::string& asked : content_.filters().paths()) {
    if (asked != path) continue;
    if (!git_.runs_in_place()) return BackgroundGit::pending("the filter of " + path);
    return Error{ErrorCode::kUnsupported, path + ": the file keeps changing while the filter runs"};
  }
  const auto entry = index_->find_path(path);
  if (!entry || !index_->entries()[*entry].is_gitlink()) return {};
  return submodules_.check(*index_, view.limit_of(nullptr));
}

}  // namespace resident
