#include "testing/fake_watcher.h"

namespace resident::testing {

Result<Watcher::Added> FakeWatcher::add(const Directory& directory, Scope) {
  if (on_add_) on_add_();
  RESIDENT_TRY(FileStat stat, fs_.stat_directory(directory));
  MutexLock lock(mutex_);
  const Key key{stat.device, stat.inode};
  if (auto known = watches_.find(key); known != watches_.end())
    return Added{known->second.id, false};
  if (watches_.size() >= limit_) return Added{kNoWatch, true};
  RESIDENT_TRY(Directory held, fs_.open_directory_at(directory, "."));
  const WatchId id = next_++;
  watches_.emplace(key, Watch{id, std::move(held)});
  return Added{id, false};
}

Result<Watcher::Added> FakeWatcher::add_file(const std::string&) {
  MutexLock lock(mutex_);
  return Added{next_++, false};
}

std::vector<WatchId> FakeWatcher::add_hints(std::span<const std::string> directories) {
  std::vector<WatchId> ids;
  MutexLock lock(mutex_);
  for (const std::string& directory : directories) {
    if (hints_.size() >= most_hints_) break;
    Result<FileStat> stat = fs_.stat(directory);
    ids.push_back(stat.ok() ? next_++ : kNoWatch);
    if (stat.ok()) hints_.insert_or_assign({stat->device, stat->inode}, ids.back());
  }
  return ids;
}

void FakeWatcher::hint(const std::string& directory) {
  Result<FileStat> stat = fs_.stat(directory);
  if (!stat.ok()) return;
  MutexLock lock(mutex_);
  auto known = hints_.find({stat->device, stat->inode});
  if (known != hints_.end()) pending_.mark(known->second, "", {});
}

size_t FakeWatcher::hints() {
  MutexLock lock(mutex_);
  return hints_.size();
}

Result<bool> FakeWatcher::has_synced(Barrier barrier) {
  if (!sync_failure_.empty()) return Error{ErrorCode::kIo, sync_failure_};
  return barrier <= passed_;
}

void FakeWatcher::remove(WatchId id) {
  MutexLock lock(mutex_);
  std::erase_if(watches_, [id](const auto& watch) { return watch.second.id == id; });
  std::erase_if(hints_, [id](const auto& hint) { return hint.second == id; });
}

void FakeWatcher::mark(const std::string& directory, std::string_view name, bool arrived) {
  Result<FileStat> stat = fs_.stat(directory);
  if (!stat.ok()) return;
  MutexLock lock(mutex_);
  auto known = watches_.find({stat->device, stat->inode});
  if (known != watches_.end()) pending_.mark(known->second.id, name, {arrived});
}

void FakeWatcher::lose_watches(std::string reason) {
  MutexLock lock(mutex_);
  watches_.clear();
  hints_.clear();
  pending_.desync(std::move(reason), PendingChanges::Lost::kWatches);
}

bool FakeWatcher::is_watched(const std::string& directory) {
  Result<FileStat> stat = fs_.stat(directory);
  MutexLock lock(mutex_);
  return stat.ok() && watches_.contains({stat->device, stat->inode});
}

size_t FakeWatcher::watches() {
  MutexLock lock(mutex_);
  return watches_.size();
}

}  // namespace resident::testing
