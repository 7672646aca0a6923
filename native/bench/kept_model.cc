#include "bench/kept_model.h"

#include "fs/posix_file_system.h"
#include "watch/inotify/inotify_watcher.h"
#include "worktree/repository.h"

namespace resident::bench {

Result<KeptModel> KeptModel::open(const std::string& worktree, unsigned threads) {
  KeptModel kept;
  RESIDENT_TRY(Repository repository, discover(worktree));
  RESIDENT_TRY(kept.watcher_, make_inotify_watcher([] {}));
  RESIDENT_TRY(MountTable mounts, MountTable::open());
  kept.mounts_ = std::make_shared<MountTable>(std::move(mounts));
  WorktreeModel::Options options;
  options.mounts_changed = [mounts = kept.mounts_] { return mounts->changed(); };
  options.watcher = kept.watcher_.get();
  options.threads = threads;
  options.asks_git = false;
  kept.model_ =
      std::make_unique<WorktreeModel>(posix_file_system(), std::move(repository), options);
  return kept;
}

Result<StatusResult> KeptModel::answer() {
  return model_->answer(StatusQuery{});
}

}  // namespace resident::bench
