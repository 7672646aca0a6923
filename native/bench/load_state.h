// Loads the data around a worktree. git runs in place.
#pragma once

#include <memory>

#include "fs/linux/posix_file_system.h"
#include "repo_state/repository_state.h"

namespace resident::bench {

inline Result<std::shared_ptr<RepositoryState>> load_state(const Repository& repository) {
  struct Loaded {
    explicit Loaded(const Repository& of) : state(posix_file_system(), of, nullptr, git) {}
    BackgroundGit git{nullptr, {}, steady_now(), {}};
    RepositoryState state;
  };
  const auto loaded = std::make_shared<Loaded>(repository);
  RESIDENT_CHECK(loaded->state.load());
  return std::shared_ptr<RepositoryState>(loaded, &loaded->state);
}

}  // namespace resident::bench
