#include "model/model_inputs.h"

#include <utility>

namespace resident {

ModelInputs::ModelInputs(FileSystem& files, Repository place_of, const ModelOptions& given)
    : fs(files),
      repository(std::move(place_of)),
      options(given),
      git(options.git, options.git_answered, options.now, repository.worktree),
      place(fs, repository, options.gate, git, options.owner_follows),
      state(fs, repository, options.gate, git),
      index(fs, repository, options.index_ahead),
      content({fs, repository.worktree, repository.algorithm, options.trusted}),
      limit(ModelView::path_limit(content, options.pathspec)) {
  content.filters().tell_as_git(options.filters_told_as_git);
}

Result<void> ModelInputs::check_config() const {
  return state.awaits_git() ? Result<void>(BackgroundGit::pending("git config")) : Result<void>();
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
