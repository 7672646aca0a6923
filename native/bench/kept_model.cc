#include "bench/kept_model.h"

#include "fs/posix_file_system.h"
#include "watch/inotify/inotify_watcher.h"
#include "worktree/repository.h"

namespace resident::bench {

Result<KeptModel> KeptModel::open(const std::string& worktree, unsigned threads) {
  KeptModel kept;
  RESIDENT_TRY(Repository repository, discover(worktree));
  RESIDENT_TRY(kept.watcher_, make_inotify_watcher([] {}));
  RESIDENT_TRY(kept.metadata_watcher_, make_inotify_watcher([] {}));
  for (auto* table : {&kept.mounts_, &kept.metadata_mounts_}) {
    RESIDENT_TRY(MountTable mounts, MountTable::open());
    *table = std::make_shared<MountTable>(std::move(mounts));
  }
  WorktreeModel::Options options;
  kept.gate_ =
      std::make_unique<MetadataGate>(posix_file_system(), *kept.metadata_watcher_,
                                     [table = kept.metadata_mounts_] { return table->changed(); });
  options.mounts_changed = [table = kept.mounts_] { return table->changed(); };
  options.watcher = kept.watcher_.get();
  options.gate = kept.gate_.get();
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
