// Tests one watcher over each of the kernel's interfaces.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <future>
#include <set>

#include "os/unique_fd.h"
#include "testing/needs_inotify.h"
#include "watch/kernel_watchers_test_support.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using testing::write_whole_file;

TEST_P(KernelWatcherTest, MarksWhatIsCreatedChangedAndDeleted) {
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  EXPECT_TRUE(watcher_->drain().empty());

  write_whole_file(path("d/f"), "1");
  EXPECT_EQ(drained(id), Names{"+f"});
  write_whole_file(path("d/f"), "2");
  EXPECT_EQ(drained(id), Names{"f"});
  ::chmod(path("d/f").c_str(), 0755);
  EXPECT_EQ(drained(id), Names{"f"});
  stdfs::create_symlink("nowhere", path("d/link"));
  EXPECT_EQ(drained(id), Names{"+link"});
  stdfs::remove(path("d/f"));
  EXPECT_EQ(drained(id), Names{"f"});
}

TEST_P(KernelWatcherTest, ReadingAndListingIsNoEvent) {
  write_whole_file(path("d/f"), "1");
  const WatchId id = watch("d");
  EXPECT_EQ(testing::read_whole_file(path("d/f")), "1");
  for (const auto& entry : stdfs::directory_iterator(path("d"))) (void)entry;
  EXPECT_EQ(drained(id), Names{});
}

TEST_P(KernelWatcherTest, ARenameMarksBothNames) {
  write_whole_file(path("d/old"), "1");
  stdfs::create_directory(path("e"));
  const WatchId d = watch("d");
  const WatchId e = watch("e");
  stdfs::rename(path("d/old"), path("d/new"));
  EXPECT_EQ(drained(d), (Names{"old", "+new"}));
  stdfs::rename(path("d/new"), path("e/newer"));
  const Batch batch = watcher_->drain();
  EXPECT_FALSE(batch.directories().at(d).names.at("new").arrived);
  EXPECT_TRUE(batch.directories().at(e).names.at("newer").arrived);
}

TEST_P(KernelWatcherTest, ADirectoryThatMovesKeepsItsId) {
  stdfs::create_directories(path("top/a/below"));
  const WatchId top = watch("top");
  const WatchId a = watch("top/a");
  const WatchId below = watch("top/a/below");
  EXPECT_NE(a, below);

  stdfs::rename(path("top/a"), path("top/b"));
  const Batch batch = watcher_->drain();
  EXPECT_FALSE(batch.directories().at(top).names.at("a").arrived);
  EXPECT_TRUE(batch.directories().at(top).names.at("b").arrived);
  EXPECT_EQ(batch.directories().at(a).names.count(""), 1u)
      << "the moved directory itself is marked";

  EXPECT_EQ(watch("top/b"), a);
  EXPECT_EQ(watch("top/b/below"), below);
  write_whole_file(path("top/b/below/f"), "1");
  EXPECT_EQ(drained(below), Names{"+f"});
}

TEST_P(KernelWatcherTest, ADeletedDirectorysIdIsNotUsedAgain) {
  stdfs::create_directory(path("d"));
  const WatchId parent = watch("");
  std::set<WatchId> ids;
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(ids.insert(watch("d")).second);
    stdfs::remove(path("d"));
    EXPECT_EQ(drained(parent), Names{"d"});
    stdfs::create_directory(path("d"));
    EXPECT_EQ(drained(parent), Names{"+d"});
  }
}

TEST_P(KernelWatcherTest, ADirectorysOwnEndMarksIt) {
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  stdfs::remove(path("d"));
  EXPECT_EQ(drained(id), Names{""});
}

TEST_P(KernelWatcherTest, WhatIsRemovedTellsNothingMore) {
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  watcher_->remove(id);
  (void)watcher_->drain();
  write_whole_file(path("d/f"), "1");
  EXPECT_TRUE(watcher_->drain().empty());
}

TEST_P(KernelWatcherTest, NamesAreBytes) {
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  const std::string name = "new\nline \"\xff\xfe";
  write_whole_file(path("d/") + name, "1");
  EXPECT_EQ(drained(id), Names{"+" + name});
}

TEST_P(KernelWatcherTest, AnEventIsThereOnceTheCallReturned) {
  write_whole_file(path("d/f"), "");
  const WatchId id = watch("d");
  UniqueFd file(::open(path("d/f").c_str(), O_WRONLY | O_APPEND));
  ASSERT_TRUE(file.valid());
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(::write(file.get(), "x", 1), 1);
    ASSERT_EQ(drained(id), Names{"f"}) << i;
  }
}

TEST_P(KernelWatcherTest, AWriterOnAnotherThreadIsSeen) {
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  for (int i = 0; i < 100; ++i) {
    const std::string name = std::to_string(i);
    std::async(std::launch::async, [&] { write_whole_file(path("d/") + name, "1"); }).get();
    ASSERT_EQ(drained(id), Names{"+" + name});
  }
}

TEST_P(KernelWatcherTest, AddingWhatIsNoDirectoryAnyMoreFails) {
  write_whole_file(path("f"), "1");
  UniqueFd file(::open(path("f").c_str(), O_RDONLY));
  // Only directories are accepted.
  Directory wrong(&posix_file_system(), ::dup(file.get()));
  EXPECT_FALSE(watcher_->add(wrong).ok());
}

TEST_P(KernelWatcherTest, WakesOnAnEventAndEndsItsThread) {
  testing::RepoBuilder files;
  watcher_.reset();
  for (int i = 0; i < 20; ++i) {
    std::promise<void> woken;
    std::atomic<bool> done{false};
    auto watcher = make_watcher([&] {
      if (!done.exchange(true)) woken.set_value();
    });
    auto directory = posix_file_system().open_directory(files.root());
    ASSERT_TRUE(watcher->add(*directory).ok());
    write_whole_file(files.path("f" + std::to_string(i)), "1");
    woken.get_future().get();
    // Some events may still be queued, but no call may follow.
    write_whole_file(files.path("g"), "1");
    watcher.reset();
    done = false;
    write_whole_file(files.path("h"), "1");
    EXPECT_FALSE(done);
  }
}

// A waking watcher blocks the reader, so nothing is read meanwhile.
TEST_P(KernelWatcherTest, MoreThanTheQueueHoldsIsToldAsLost) {
  std::ifstream inotify("/proc/sys/fs/inotify/max_queued_events");
  std::ifstream fanotify("/proc/sys/fs/fanotify/max_queued_events");
  int most = 0, other = 0;
  ASSERT_TRUE(inotify >> most);
  if (fanotify >> other) most = std::max(most, other);
  std::promise<void> woken, may_go_on;
  std::atomic<bool> is_first{true};
  auto waits = make_watcher([&] {
    if (!is_first.exchange(false)) return;
    woken.set_value();
    may_go_on.get_future().get();
  });
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  auto directory = posix_file_system().open_directory(path("d"));
  ASSERT_TRUE(waits->add(*directory).ok());
  write_whole_file(path("d/first"), "1");
  woken.get_future().get();
  for (int i = 0; i < most + 100; ++i) write_whole_file(path("d/" + std::to_string(i)), "");
  may_go_on.set_value();

  const Batch batch = watcher_->drain();
  EXPECT_NE(batch.desynced().find("queue overflowed"), std::string::npos) << batch.desynced();
  EXPECT_FALSE(batch.watches_lost());
  write_whole_file(path("d/after"), "1");
  EXPECT_EQ(drained(id), Names{"+after"}) << "the watch is as it was";
}

TEST_P(KernelWatcherTest, EveryWayToChangeAFileMarksIt) {
  write_whole_file(path("d/f"), std::string(5000, '1'));
  write_whole_file(path("other"), "1");
  stdfs::create_hard_link(path("d/f"), path("d/link"));
  const WatchId id = watch("d");
  ASSERT_EQ(::truncate(path("d/f").c_str(), 4096), 0);
  EXPECT_EQ(drained(id), Names{"f"});
  {
    const UniqueFd file(::open(path("d/link").c_str(), O_WRONLY));
    ASSERT_EQ(::pwrite(file.get(), "2", 1, 0), 1);
    EXPECT_EQ(drained(id), Names{"link"}) << "by the name that it was opened by";
  }
  EXPECT_EQ(drained(id), Names{"link"});
  {
    const UniqueFd file(::open(path("d/f").c_str(), O_RDWR));
    void* const memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    ASSERT_NE(memory, MAP_FAILED);
    *static_cast<char*>(memory) = '3';
    ::munmap(memory, 4096);
  }
  EXPECT_EQ(drained(id), Names{"f"});
  stdfs::rename(path("other"), path("d/f"));
  EXPECT_EQ(drained(id), Names{"+f"});
  ASSERT_EQ(::chmod(path("d").c_str(), 0700), 0);
  EXPECT_EQ(drained(id), Names{""});
  stdfs::create_directory(path("d/below"));
  EXPECT_EQ(drained(id), Names{"+below"});
  stdfs::remove(path("d/below"));
  EXPECT_EQ(drained(id), Names{"below"});
}

TEST_P(KernelWatcherTest, TwoFileSystemsAreToldApart) {
  const stdfs::path other = "/dev/shm/resident-watch-test-" + std::to_string(::getpid());
  stdfs::create_directories(other);
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  auto directory = posix_file_system().open_directory(other.string());
  const WatchId there = watcher_->add(*directory)->id;
  EXPECT_NE(there, kNoWatch);
  EXPECT_NE(there, id);
  write_whole_file((other / "f").string(), "1");
  EXPECT_EQ(drained(there), Names{"+f"});
  write_whole_file(path("d/f"), "1");
  EXPECT_EQ(drained(id), Names{"+f"});
  stdfs::remove_all(other);
}

INSTANTIATE_TEST_SUITE_P(Kernel, KernelWatcherTest, ::testing::ValuesIn(kBackends),
                         [](const auto& backend) { return std::string(backend.param.name); });

}  // namespace
}  // namespace resident
