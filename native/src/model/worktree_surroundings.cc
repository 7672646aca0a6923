// The part of WorktreeModel about the files around the worktree: config, HEAD, rules, the index.
#include <algorithm>
#include <utility>

#include "config/daemon_stand_in.h"
#include "model/worktree_model.h"

namespace resident {

Result<void> WorktreeModel::refresh_metadata() {
  RESIDENT_CHECK(place_.check());
  bool conversions_differ = !state_->is_loaded();
  if (!state_->is_loaded()) {
    RESIDENT_CHECK(state_->load(options_.config));
    settings_differ_ = true;
  } else {
    RESIDENT_TRY(const RepositoryState::Changes changes, state_->refresh());
    apply_repository_changes(changes);
    conversions_differ = changes.attributes || changes.config;
  }
  if (conversions_differ) git_.set_asks_monitor(!resident::stands_in_for_daemon(state_->config()));
  RESIDENT_CHECK(refresh_index());
  if (conversions_differ || index_.has_untaken()) set_content_rules();
  RESIDENT_CHECK(check_repository());
  if (conversions_differ && scanned_) compare_again();
  return {};
}

void WorktreeModel::apply_repository_changes(const RepositoryState::Changes& changes) {
  if (changes.head) deltas_.mark_content();
  if (changes.rules && scanned_) tree_->set_rules(state_->rules());
  settings_differ_ |= changes.settings;
  // git may now check files by other rules, with other results.
  if (changes.settings || changes.config || changes.rules || changes.attributes) journal_.restart();
  input_versions_.head += changes.head;
  input_versions_.config += changes.config;
  input_versions_.rules += changes.rules;
  input_versions_.attributes += changes.attributes;
}

Result<void> WorktreeModel::refresh_index() {
  if (!index_.may_differ(options_.gate)) return {};
  const bool tree_is_behind = !index_.refreshed().empty();
  // With core.ignoreCase, another path can hide any untracked path.
  const bool may_move = scanned_ && !is_delegated() &&
                        tree_->state().index.get() == index_.get().get() &&
                        !state_->settings().ignore_case;
  RESIDENT_TRY(const CurrentIndex::Found found, index_.read(may_move));
  if (found == CurrentIndex::Found::kSame) return {};
  ++input_versions_.index;
  deltas_.mark_content();
  progress_.files_expected = index_->entries().size();
  if (found == CurrentIndex::Found::kOther) settings_differ_ |= tree_is_behind;
  if (found == CurrentIndex::Found::kMoved) {
    tree_->renumber(index_.refreshed().moves);
    drop_filters_of_others();
  }
  return {};
}

// Fails if only git can answer, whatever the question.
Result<void> WorktreeModel::check_repository() const {
  if (state_->git_rules().folds_index_on_reading && state_->sparse_patterns().fold_index() &&
      !index_->shared_path().empty()) {
    // git collapses the shared index file while it reads the file. The other index file may then
    // refer to missing entries.
    return Error{ErrorCode::kUnsupported,
                 repository_.index_path + ": the index is both sparse and split"};
  }
  if ((index_.was_sparse() || state_->sparse_patterns().fold_index()) &&
      index_->shared_path().empty() && state_->config().get_bool("core.splitindex", false)) {
    // git refuses to split a sparse index as soon as it reads it.
    return Error{ErrorCode::kUnsupported,
                 repository_.index_path + ": the index is sparse, and core.splitIndex is set"};
  }
  for (const uint32_t gitlink : index_->gitlinks()) {
    // Old versions of `git mv` could create such entries; newer versions refuse to.
    if (const std::string path = index_->path(gitlink); index_->find_directory(path)) {
      return Error{ErrorCode::kUnsupported, path + ": the index has entries below this submodule"};
    }
  }
  if (state_->sparse_patterns().are_no_cones()) {
    return Error{ErrorCode::kUnsupported,
                 repository_.git_dir + "/info/sparse-checkout: git warns about the patterns"};
  }
  if (state_->settings().ignore_case && index_.was_sparse()) {
    // The files that another spelling hides depend on when git expands its index.
    return Error{ErrorCode::kUnsupported,
                 repository_.index_path + ": the index is sparse, and core.ignoreCase is set"};
  }
  return {};
}

void WorktreeModel::set_content_rules() {
  FileContent::Rules rules;
  rules.index = index_.get();
  rules.objects = &state_->objects();
  rules.config = ConversionConfig::read(state_->config());
  rules.info_attributes = state_->attributes().info();
  rules.user_attributes = state_->attributes().user();
  rules.system_attributes = state_->attributes().system();
  if (!state_->git_rules().reads_attributes_outside_of_cone)
    rules.cone = state_->sparse_patterns().cone();
  rules.matching = state_->rules().matching;
  rules.directory_is_read = !state_->git_rules().passes_over_attribute_directories;
  rules.attributes_unreadable =
      state_->attributes().are_unreadable() || state_->sparse_patterns().are_unreadable();
  content_.set_rules(std::move(rules));
}

std::vector<std::string> WorktreeModel::metadata_files() const {
  std::vector<std::string> files = {repository_.index_path, repository_.git_dir + "/HEAD"};
  const auto add = [&files](const std::vector<std::string>& more) {
    files.insert(files.end(), more.begin(), more.end());
  };
  if (state_->is_loaded()) add(state_->files());
  add(place_.files());
  add(config_question().files());
  add(index_.shared_files());
  add(branch_.files());
  add(prompt_.files());
  delegate_.add_files(files);
  submodules_.add_files(files);
  if (tree_) tree_->state().add_files(files);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  std::erase(files, "");
  return files;
}

}  // namespace resident
