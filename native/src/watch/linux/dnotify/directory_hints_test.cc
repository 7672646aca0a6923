#include "watch/linux/dnotify/directory_hints.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fs/linux/private_fd_table_test_support.h"
#include "os/thread_limit_test_support.h"
#include "os/unique_fd.h"
#include "testing/repo_builder.h"
#include "watch/layered_watcher.h"
#include "watch/own_limits_test_support.h"
#include "watch/watch_ids.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using testing::write_whole_file;

// One watcher of the process, and its hints.
class Hinted {
 public:
  Watcher& watcher() { return *watcher_; }

  WatchId add(const std::string& path) {
    const std::vector<WatchId> ids = watcher_->add_hints(std::span(&path, 1));
    return ids.empty() ? kNoWatch : ids[0];
  }
  // Collects the reported directories until all of `last` have been reported.
  std::set<WatchId> told_until(const std::set<WatchId>& last) {
    std::set<WatchId> told;
    while (!std::includes(told.begin(), told.end(), last.begin(), last.end()) && wait()) {
      const Batch batch = watcher_->drain();
      EXPECT_EQ(batch.desynced(), "");
      for (const auto& [id, marks] : batch.directories()) {
        EXPECT_TRUE(marks.names.contains("") && marks.names.size() == 1) << "no name is known";
        told.insert(id);
      }
    }
    return told;
  }

 private:
  // Waits for a call of `wake`. drain() waits for such a call to end, so it must not run meanwhile.
  bool wait() {
    std::unique_lock lock(mutex_);
    const bool is_woken = changed_.wait_for(lock, std::chrono::seconds(60),
                                            [this] { return std::exchange(is_woken_, false); });
    EXPECT_TRUE(is_woken);
    return is_woken;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_woken_ = false;
  std::unique_ptr<Watcher> watcher_ = make_layered_watcher([this] {
    const std::lock_guard lock(mutex_);
    is_woken_ = true;
    changed_.notify_all();
  });
};

// Call it only in a child of the test.
void allow_open_files(rlim_t most) {
  const rlimit limit{most, most};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
}

class DirectoryHintsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    stdfs::create_directory(path("d"));
    stdfs::create_directory(path("last"));
    if (Hinted().add(path("d")) == kNoWatch) GTEST_SKIP() << "this kernel has no dnotify";
  }

  std::string path(std::string_view relative) const { return files_.path(relative); }
  // Counts open directories of all threads; `own`: only those of this thread.
  int open_directories(bool own = false) const {
    int count = 0;
    for (const auto& thread : stdfs::directory_iterator("/proc/self/task")) {
      if (own && thread.path().filename() != std::to_string(::getpid())) continue;
      for (const auto& entry : stdfs::directory_iterator(thread.path() / "fd")) {
        std::error_code gone;
        count += stdfs::read_symlink(entry.path(), gone).string().starts_with(path("d"));
      }
    }
    return count;
  }

  // Another thread closes released directories, so this waits.
  bool come_to(int count, bool own = false) const {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (open_directories(own) != count) {
      if (std::chrono::steady_clock::now() > limit) return false;
      std::this_thread::yield();
    }
    return true;
  }

  testing::RepoBuilder files_;
};

TEST_F(DirectoryHintsTest, WhateverACallChangesInADirectoryIsTold) {
  write_whole_file(path("d/f"), "1");
  write_whole_file(path("outside"), "1");
  Hinted hinted;
  const WatchId id = hinted.add(path("d"));
  EXPECT_TRUE(is_hint(id));
  const std::vector<std::pair<const char*, std::function<void()>>> changes = {
      {"written in place",
       [&] {
         const UniqueFd file(::open(path("d/f").c_str(), O_WRONLY | O_CLOEXEC));
         EXPECT_EQ(::pwrite(file.get(), "2", 1, 0), 1);
       }},
      {"truncated", [&] { EXPECT_EQ(::truncate(path("d/f").c_str(), 0), 0); }},
      {"another mode", [&] { EXPECT_EQ(::chmod(path("d/f").c_str(), 0755), 0); }},
      {"another time", [&] { EXPECT_EQ(::utimensat(AT_FDCWD, path("d/f").c_str(), {}, 0), 0); }},
      {"created", [&] { write_whole_file(path("d/new"), ""); }},
      {"a directory", [&] { stdfs::create_directory(path("d/e")); }},
      {"a link", [&] { stdfs::create_hard_link(path("d/f"), path("d/other")); }},
      {"a symbolic one", [&] { stdfs::create_symlink("f", path("d/symbolic")); }},
      {"renamed", [&] { stdfs::rename(path("d/new"), path("d/newer")); }},
      {"moved in", [&] { stdfs::rename(path("outside"), path("d/inside")); }},
      {"moved out", [&] { stdfs::rename(path("d/inside"), path("outside")); }},
      {"removed", [&] { stdfs::remove(path("d/f")); }},
      {"a directory removed", [&] { stdfs::remove(path("d/e")); }},
  };
  for (const auto& [what, change] : changes) {
    SCOPED_TRACE(what);
    change();
    EXPECT_TRUE(hinted.told_until({id}).contains(id));
  }
}

TEST_F(DirectoryHintsTest, ReadingIsNoChange) {
  write_whole_file(path("d/f"), "1");
  Hinted hinted;
  const WatchId id = hinted.add(path("d"));
  const WatchId last = hinted.add(path("last"));
  EXPECT_EQ(testing::read_whole_file(path("d/f")), "1");
  for (const auto& entry : stdfs::directory_iterator(path("d"))) (void)entry;
  write_whole_file(path("last/f"), "1");
  EXPECT_FALSE(hinted.told_until({last}).contains(id));
}

TEST_F(DirectoryHintsTest, WhoeverAskedIsTold) {
  Hinted one, other;
  const WatchId of_one = one.add(path("d"));
  const WatchId of_other = other.add(path("d"));
  EXPECT_NE(of_one, of_other);
  write_whole_file(path("d/f"), "1");
  EXPECT_TRUE(one.told_until({of_one}).contains(of_one));
  EXPECT_TRUE(other.told_until({of_other}).contains(of_other));
}

TEST_F(DirectoryHintsTest, WhatIsGivenBackTellsNothingAndIsClosed) {
  Hinted hinted;
  const WatchId id = hinted.add(path("d"));
  const WatchId last = hinted.add(path("last"));
  EXPECT_EQ(open_directories(), 1);
  hinted.watcher().remove(id);
  EXPECT_TRUE(come_to(0));
  write_whole_file(path("d/f"), "1");
  write_whole_file(path("last/f"), "1");
  EXPECT_FALSE(hinted.told_until({last}).contains(id));
}

TEST_F(DirectoryHintsTest, WhatThisProcessMayOpenIsLeftToIt) {
  if (!testing::can_unshare(CLONE_FILES)) GTEST_SKIP() << testing::kNoOwnTable;
  testing::in_child([&] {
    ASSERT_NO_FATAL_FAILURE(allow_open_files(100));
    Hinted hinted;
    std::set<WatchId> ids;
    for (int i = 0; i < 250; ++i) ids.insert(hinted.add(path("d")));
    EXPECT_EQ(ids.size(), 250u);
    EXPECT_FALSE(ids.contains(kNoWatch));
    EXPECT_EQ(open_directories(), 250);
    EXPECT_EQ(open_directories(true), 0);
    write_whole_file(path("d/f"), "1");
    EXPECT_EQ(hinted.told_until(ids), ids);
    for (const WatchId id : ids) hinted.watcher().remove(id);
    EXPECT_TRUE(come_to(0));
  });
}

TEST_F(DirectoryHintsTest, ThereIsAnEndToThem) {
  if (!testing::can_unshare(CLONE_FILES)) GTEST_SKIP() << testing::kNoOwnTable;
  testing::in_child([&] {
    ASSERT_NO_FATAL_FAILURE(allow_open_files(100));
    Hinted hinted;
    const std::vector<std::string> paths(1000, path("d"));
    const std::vector<WatchId> ids = hinted.watcher().add_hints(paths);
    EXPECT_GT(ids.size(), 600u);
    EXPECT_LT(ids.size(), 800u);
    EXPECT_EQ(hinted.add(path("d")), kNoWatch);
    hinted.watcher().remove(ids[0]);
    EXPECT_TRUE(come_to(static_cast<int>(ids.size()) - 1));
    EXPECT_NE(hinted.add(path("d")), kNoWatch);
    EXPECT_EQ(hinted.add(path("d")), kNoWatch);
  });
}

// The default in a container.
TEST_F(DirectoryHintsTest, WhereNoThreadMayHaveATableOfItsOwnHalfOfTheSharedOneIsTaken) {
  testing::in_child([&] {
    ASSERT_NO_FATAL_FAILURE(testing::forbid_own_descriptors());
    ASSERT_NO_FATAL_FAILURE(allow_open_files(100));
    Hinted hinted;
    const std::vector<std::string> paths(60, path("d"));
    const std::vector<WatchId> ids = hinted.watcher().add_hints(paths);
    EXPECT_EQ(ids.size(), 50u);
    EXPECT_EQ(open_directories(true), 50);
    write_whole_file(path("d/f"), "1");
    (void)hinted.told_until({ids.begin(), ids.end()});
    hinted.watcher().remove(ids[0]);
    EXPECT_TRUE(come_to(49, true));
    EXPECT_NE(hinted.add(path("d")), kNoWatch);
    EXPECT_EQ(hinted.add(path("d")), kNoWatch);
  });
}

TEST_F(DirectoryHintsTest, WhatCannotBeOpenedHasNone) {
  Hinted hinted;
  write_whole_file(path("file"), "1");
  const std::vector<std::string> paths = {path("nowhere"), path("d"), path("file")};
  const std::vector<WatchId> ids = hinted.watcher().add_hints(paths);
  ASSERT_EQ(ids.size(), 3u);
  EXPECT_EQ(ids[0], kNoWatch);
  EXPECT_NE(ids[1], kNoWatch);
  EXPECT_EQ(ids[2], kNoWatch);
}

// The kernel sends SIGIO instead of a signal that it cannot queue, and the default action would end
// the process.
TEST_F(DirectoryHintsTest, HintsThatTheKernelCannotQueueAreLostAndNothingElse) {
  testing::in_child([&] {
    Hinted hinted;
    const WatchId id = hinted.add(path("d"));
    const WatchId last = hinted.add(path("last"));
    rlimit limit{};
    ASSERT_EQ(::getrlimit(RLIMIT_SIGPENDING, &limit), 0);
    const rlimit none{0, limit.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_SIGPENDING, &none), 0);
    for (int i = 0; i < 100; ++i) write_whole_file(path("d/f"), "1");
    ASSERT_EQ(::setrlimit(RLIMIT_SIGPENDING, &limit), 0);
    write_whole_file(path("last/f"), "1");
    EXPECT_FALSE(hinted.told_until({last}).contains(id));
    write_whole_file(path("d/f"), "2");
    EXPECT_TRUE(hinted.told_until({id}).contains(id));
  });
}

}  // namespace
}  // namespace resident
