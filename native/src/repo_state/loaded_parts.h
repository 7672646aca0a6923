// LoadedParts: the parts of a RepositoryState that other parts read. All of them are loaded first.
#pragma once

#include "refs/ref_store.h"
#include "repo_state/current_config.h"
#include "repo_state/current_git.h"
#include "repo_state/current_objects.h"
#include "repository/repository.h"

namespace resident {

struct LoadedParts {
  const Repository& repository;
  const CurrentGit& git;
  const CurrentConfig& config;
  RefStore& refs;
  CurrentObjects& objects;
};

}  // namespace resident
