#include "bench/kept_model.h"

#include "fs/linux/posix_file_system.h"
#include "repository/repository.h"
#include "watch/linux/inotify/inotify_watcher.h"
#include "watch/linux/mount_table.h"

namespace resident::bench {

namespace {

// Whether anything was mounted or unmounted since that was last asked.
Result<std::function<bool()>> watch_mounts() {
  RESIDENT_TRY(MountTable mounts, MountTable::open());
  return std::function<bool()>(
      [table = std::make_shared<MountTable>(std::move(mounts))] { return table->changed(); });
}

}  // namespace

Result<KeptModel> KeptModel::open(const std::string& worktree, unsigned threads) {
  KeptModel kept;
  RESIDENT_TRY(Repository repository, discover(worktree));
  kept.watcher_ = make_inotify_watcher([] {});
  kept.metadata_watcher_ = make_inotify_watcher([] {});
  RESIDENT_TRY(std::function<bool()> metadata_mounts_changed, watch_mounts());
  WorktreeModel::Options options;
  kept.gate_ = std::make_unique<MetadataGate>(posix_file_system(), *kept.metadata_watcher_,
                                              std::move(metadata_mounts_changed));
  RESIDENT_TRY(options.mounts_changed, watch_mounts());
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
