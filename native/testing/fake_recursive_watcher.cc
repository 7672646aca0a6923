#include "testing/fake_recursive_watcher.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/ascii.h"

namespace resident::testing {

namespace {

std::string joined(const std::string& directory, const std::string& name) {
  if (directory.empty() || name.empty()) return directory + name;
  return directory + "/" + name;
}

// "" for a name in the root.
std::string parent_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// A name of one letter keeps its case: tests have both "a" and "A".
std::string in_upper_case(std::string name) {
  if (name.size() > 1) std::transform(name.begin(), name.end(), name.begin(), ascii_upper);
  return name;
}

}  // namespace

FakeRecursiveWatcher::FakeRecursiveWatcher(FileSystem& fs, std::unique_ptr<Watcher> events,
                                           const WatchHabits& habits, unsigned seed,
                                           std::function<void()> wake)
    : fs_(fs), events_(std::move(events)), habits_(habits), wake_(std::move(wake)), random_(seed) {
}

void FakeRecursiveWatcher::watch_below(const std::string& root) {
  MutexLock lock(mutex_);
  const Result<FileStat> stat = fs_.stat(root);
  if (!stat.ok() || (root == root_ && device_ == stat->device)) return;
  root_ = root;
  device_ = stat->device;
  watch_tree("");
}

Result<Watcher::Added> FakeRecursiveWatcher::add(const Directory& directory, Scope) {
  RESIDENT_TRY(const FileStat stat, fs_.stat_directory(directory));
  MutexLock lock(mutex_);
  if (stat.device != device_) return Added{kNoWatch, true};
  return Added{kRootWatch, false};
}

// Watches a directory and everything below it, under the present paths.
void FakeRecursiveWatcher::watch_tree(const std::string& path) {
  const Result<FileStat> stat = fs_.lstat(joined(root_, path));
  if (!stat.ok() || stat->kind != FileKind::kDirectory) return;
  const Result<Directory> directory = fs_.open_directory(joined(root_, path));
  if (!directory.ok()) return;
  const Result<Added> added = events_->add(*directory);
  if (!added.ok() || added->id == kNoWatch) return;
  paths_[added->id] = path;
  DirectoryListing listing;
  if (!fs_.list(*directory, listing).ok()) return;
  for (size_t i = 0; i < listing.size(); ++i)
    watch_tree(joined(path, std::string(listing[i].name)));
}

void FakeRecursiveWatcher::gather() {
  const Batch batch = events_->drain();
  if (!batch.desynced().empty()) {
    watch_tree("");
    return overflow();
  }
  // A moved directory has its new path before its events get one.
  for (const auto& [id, marks] : batch.directories()) {
    const auto known = paths_.find(id);
    if (known == paths_.end()) continue;
    const std::string directory = known->second;
    if (marks.whole) watch_tree(directory);
    for (const auto& [name, mark] : marks.names) {
      if (mark.arrived) watch_tree(joined(directory, name));
    }
  }
  for (const auto& [id, marks] : batch.directories()) {
    const auto known = paths_.find(id);
    if (known == paths_.end()) continue;
    if (marks.whole) tell(known->second, {true});
    for (const auto& [name, mark] : marks.names) tell(joined(known->second, name), {mark.arrived});
  }
}

void FakeRecursiveWatcher::tell(std::string path, PathMark mark) {
  if (path.empty() && !mark.below) return;  // the root itself
  if (habits_.coalesces && one_in(4)) {
    std::string above = parent_of(path);
    // The root seldom: everything is checked then.
    if (!above.empty() || one_in(8)) {
      path = std::move(above);
      mark.below = true;
    }
  }
  if (habits_.renames && one_in(4)) path = renamed(path);
  const uint64_t delay = random_() % static_cast<unsigned>(habits_.longest_delay + 1);
  waiting_.push_back({now_ + delay, std::move(path), mark});
  if (waiting_.size() > habits_.capacity) overflow();
}

std::string FakeRecursiveWatcher::renamed(const std::string& path) {
  std::string other;
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    std::string name = path.substr(begin, end - begin);
    if (one_in(2)) {
      name = in_upper_case(std::move(name));
      if (name.size() > 2 && one_in(2)) name = name.substr(0, 6) + "~1";
    }
    other = joined(other, name);
    begin = end + 1;
  }
  return other;
}

void FakeRecursiveWatcher::overflow() {
  waiting_.clear();
  overflowed_ = true;
}

void FakeRecursiveWatcher::lose() {
  MutexLock lock(mutex_);
  gather();
  overflow();
}

void FakeRecursiveWatcher::report(std::string path, PathMark mark) {
  MutexLock lock(mutex_);
  waiting_.push_back({now_, std::move(path), mark});
}

void FakeRecursiveWatcher::tick() {
  bool has_news = false;
  {
    MutexLock lock(mutex_);
    gather();
    ++now_;
    has_news = overflowed_ || barrier_ == now_ ||
               std::any_of(waiting_.begin(), waiting_.end(),
                           [&](const Event& event) { return event.due <= now_; });
  }
  if (has_news && wake_) wake_();
}

Batch FakeRecursiveWatcher::drain() {
  const auto now = std::chrono::steady_clock::now();
  Batch batch;
  MutexLock lock(mutex_);
  gather();
  if (std::exchange(overflowed_, false)) {
    batch.desync("the buffer of the recursive watch overflowed", Batch::Lost::kEvents, now);
  }
  std::erase_if(waiting_, [&](const Event& event) {
    if (event.due > now_) return false;
    batch.mark_path(event.path, event.mark, now);
    return true;
  });
  return batch;
}

Watcher::Barrier FakeRecursiveWatcher::begin_sync() {
  MutexLock lock(mutex_);
  gather();
  uint64_t due = now_ + 1;
  for (const Event& event : waiting_) due = std::max(due, event.due);
  barrier_ = due;
  return due;
}

Result<bool> FakeRecursiveWatcher::has_synced(Barrier barrier) {
  MutexLock lock(mutex_);
  return barrier <= now_;
}

}  // namespace resident::testing
