// KernelWatcherTest: the common behaviour of the watchers over the kernel's interfaces.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "fs/linux/posix_file_system.h"
#include "testing/repo_builder.h"
#include "watch/layered_watcher.h"
#include "watch/linux/fanotify/fanotify_watcher.h"
#include "watch/linux/inotify/inotify_watcher.h"

namespace resident {

// A backend, and how /proc shows its kernel objects.
struct Backend {
  const char* name;
  std::unique_ptr<Watcher> (*make)(std::function<void()> wake);
  const char* instance;  // link target of its descriptor
  const char* watch;     // start of a watch's line in its fdinfo
};

inline void PrintTo(const Backend& backend, std::ostream* out) {
  *out << backend.name;
}

inline const Backend kBackends[] = {
    {"Inotify", make_inotify_watcher, "anon_inode:inotify", "inotify wd:"},
    {"Fanotify",
     [](std::function<void()> wake) -> std::unique_ptr<Watcher> {
       return std::make_unique<FanotifyWatcher>(std::move(wake));
     },
     "anon_inode:[fanotify]", "fanotify ino:"},
    {"Layered", make_layered_watcher, "anon_inode:inotify", "inotify wd:"},
};

class KernelWatcherTest : public ::testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    watcher_ = make_watcher([] {});
    const testing::RepoBuilder elsewhere;
    auto directory = posix_file_system().open_directory(elsewhere.root());
    if (make_watcher([] {})->add(*directory)->at_limit) {
      GTEST_SKIP() << "this system does not let a directory be watched by it";
    }
  }

  std::unique_ptr<Watcher> make_watcher(std::function<void()> wake) const {
    return GetParam().make(std::move(wake));
  }
  // The number of this process's open descriptors of the backend.
  int instances() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      count += std::filesystem::read_symlink(entry.path(), gone) == GetParam().instance;
    }
    return count;
  }
  // The total number of kernel watches in all instances.
  size_t kernel_watches() const {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fdinfo")) {
      std::ifstream info(entry.path());
      for (std::string line; std::getline(info, line);) {
        count += line.starts_with(GetParam().watch);
      }
    }
    return count;
  }

  std::string path(std::string_view relative) const { return files_.path(relative); }

  WatchId watch(std::string_view relative) {
    auto directory = posix_file_system().open_directory(path(relative));
    EXPECT_TRUE(directory.ok()) << relative;
    auto added = watcher_->add(*directory);
    EXPECT_TRUE(added.ok()) << relative;
    EXPECT_FALSE(added->at_limit);
    return added->id;
  }

  // The marked names in one directory; "+name" for arrived names.
  std::set<std::string> drained(WatchId id) {
    const Batch batch = watcher_->drain();
    EXPECT_EQ(batch.desynced(), "");
    std::set<std::string> names;
    if (auto marks = batch.directories().find(id); marks != batch.directories().end()) {
      for (const auto& [name, mark] : marks->second.names)
        names.insert((mark.arrived ? "+" : "") + name);
    }
    return names;
  }

  using Names = std::set<std::string>;

  testing::RepoBuilder files_;  // provides the temporary directory
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace resident
