#include "model/model_inputs.h"

#include <utility>

namespace resident {

namespace {

Error only_git(std::string why) {
  return Error{ErrorCode::kUnsupported, std::move(why)};
}

}  // namespace

ModelInputs::ModelInputs(FileSystem& files, Repository place_of, const ModelOptions& given)
    : fs(files),
      repository(std::move(place_of)),
      options(given),
      git(options.git, options.git_answered, options.now, repository.worktree),
      place(fs, repository, options.gate, git, options.owner_follows),
      state(fs, repository, options.gate, git),
      index(fs, repository),
      content({fs, repository.worktree, repository.algorithm, options.trusted}),
      limit(ModelView::path_limit(content, options.pathspec)) {
  content.filters().tell_as_git(options.filters_told_as_git);
}

Result<void> ModelInputs::check_config() const {
  return state.awaits_git() ? Result<void>(BackgroundGit::pending("git config")) : Result<void>();
}

Result<void> ModelInputs::check_repository() const {
  if (state.git_rules().folds_index_on_reading && state.sparse_patterns().fold_index() &&
      !index->shared_path().empty()) {
    // git collapses the shared index file while it reads the file. The other index file may then
    // refer to missing entries.
    return only_git(repository.index_path + ": the index is both sparse and split");
  }
  if ((index.was_sparse() || state.sparse_patterns().fold_index()) &&
      index->shared_path().empty() && state.config().get_bool("core.splitindex", false)) {
    // git refuses to split a sparse index as soon as it reads it.
    return only_git(repository.index_path + ": the index is sparse, and core.splitIndex is set");
  }
  for (const uint32_t gitlink : index->gitlinks()) {
    // Old versions of `git mv` could create such entries; newer versions refuse to.
    if (const std::string path = index->path(gitlink); index->find_directory(path)) {
      return only_git(path + ": the index has entries below this submodule");
    }
  }
  if (state.sparse_patterns().are_no_cones()) {
    return only_git(repository.git_dir + "/info/sparse-checkout: git warns about the patterns");
  }
  if (state.settings().ignore_case && index.was_sparse()) {
    // The files that another spelling hides depend on when git expands its index.
    return only_git(repository.index_path + ": the index is sparse, and core.ignoreCase is set");
  }
  return {};
}

void ModelInputs::set_content_rules() {
  FileContent::Rules rules;
  rules.index = index.get();
  rules.objects = &state.objects();
  rules.config = ConversionConfig::read(state.config());
  rules.info_attributes = state.attributes().info();
  rules.user_attributes = state.attributes().user();
  rules.system_attributes = state.attributes().system();
  if (!state.git_rules().reads_attributes_outside_of_cone)
    rules.cone = state.sparse_patterns().cone();
  rules.matching = state.rules().matching;
  rules.directory_is_read = !state.git_rules().passes_over_attribute_directories;
  rules.attributes_unreadable =
      state.attributes().are_unreadable() || state.sparse_patterns().are_unreadable();
  content.set_rules(std::move(rules));
}

}  // namespace resident
