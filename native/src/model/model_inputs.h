// ModelInputs: everything that decides an answer beside the files in the worktree, as it was read.
// TreeFreshness refreshes it; all parts of a model read it.
//
// Threads: the model's owner.
#pragma once

#include "model/model_options.h"
#include "model/model_view.h"
#include "model/repository_place.h"
#include "repo_state/background_git.h"
#include "repo_state/current_index.h"
#include "repo_state/repository_state.h"
#include "status/content.h"

namespace resident {

struct ModelInputs {
  ModelInputs(FileSystem& fs, Repository repository, const ModelOptions& options);
  ModelInputs(const ModelInputs&) = delete;
  ModelInputs& operator=(const ModelInputs&) = delete;

  ConfigQuestion& config_question() { return state.current_config().question(); }
  // kPending: git is being asked for the config.
  Result<void> check_config() const;
  // kUnsupported if only git can answer, whatever the question.
  Result<void> check_repository() const;
  // Call after attributes, config or the index changed.
  void set_content_rules();

  FileSystem& fs;
  const Repository repository;
  const ModelOptions options;
  BackgroundGit git;  // constructed before every part that uses it
  RepositoryPlace place;
  RepositoryState state;
  CurrentIndex index;
  FileContent content;
  const PathLimit limit;
  InputVersions versions;
};

}  // namespace resident
