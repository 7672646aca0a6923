#include "service/metadata_watch.h"

#include <map>
#include <set>

#include "base/thread_annotations.h"
#include "watch/inotify/inotify_watcher.h"

namespace resident {

namespace {

class InotifyMetadataWatch final : public MetadataWatch {
 public:
  InotifyMetadataWatch(FileSystem& fs, std::function<void()> changed)
      : fs_(fs), changed_(std::move(changed)) {}

  Result<void> start() {
    // Its thread runs before it is assigned here.
    MutexLock lock(mutex_);
    RESIDENT_TRY(watcher_, make_inotify_watcher([this] { take_in(); }));
    return {};
  }

  void set_files(std::vector<std::string> files) override {
    MutexLock lock(mutex_);
    files_ = std::move(files);
    watch_directories();
  }

 private:
  void watch_directories() REQUIRES(mutex_) {
    std::map<WatchId, std::set<std::string>> names;
    for (const std::string& file : files_) {
      size_t slash = file.rfind('/');
      std::string name = file.substr(slash + 1);
      for (;;) {
        Result<Directory> directory = fs_.open_directory(slash == 0 ? "/" : file.substr(0, slash));
        if (directory.ok()) {
          Result<Watcher::Added> added = watcher_->add(*directory);
          if (added.ok() && added->id != kNoWatch) names[added->id].insert(name);
          break;
        }
        if (slash == 0 || slash == std::string::npos) break;
        const size_t above = file.rfind('/', slash - 1);
        name = file.substr(above + 1, slash - above - 1);
        slash = above;
      }
    }
    for (const auto& [id, old] : names_) {
      if (!names.contains(id)) watcher_->remove(id);
    }
    names_ = std::move(names);
  }

  void take_in() {
    bool relevant = false;
    {
      MutexLock lock(mutex_);
      const Batch batch = watcher_->drain();
      relevant = !batch.desynced.empty();
      for (const auto& [id, marks] : batch.directories) {
        auto known = names_.find(id);
        if (known == names_.end()) continue;
        for (const auto& [name, mark] : marks) {
          relevant |= name.empty() || known->second.contains(name);
        }
      }
      // A directory may have come into being.
      if (relevant) watch_directories();
    }
    if (relevant) changed_();
  }

  FileSystem& fs_;
  const std::function<void()> changed_;
  Mutex mutex_;
  std::vector<std::string> files_ GUARDED_BY(mutex_);
  std::map<WatchId, std::set<std::string>> names_ GUARDED_BY(mutex_);
  // Last, so that its thread ends before anything that it uses.
  std::unique_ptr<Watcher> watcher_ GUARDED_BY(mutex_);
};

}  // namespace

Result<std::unique_ptr<MetadataWatch>> MetadataWatch::create(FileSystem& fs,
                                                             std::function<void()> changed) {
  auto watch = std::make_unique<InotifyMetadataWatch>(fs, std::move(changed));
  RESIDENT_CHECK(watch->start());
  return std::unique_ptr<MetadataWatch>(std::move(watch));
}

}  // namespace resident
