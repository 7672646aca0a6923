#include "watch/inotify/inotify_watcher.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <set>
#include <thread>
#include <vector>

#include "base/thread_limit_test_support.h"
#include "base/unique_fd.h"
#include "fs/posix_file_system.h"
#include "testing/needs_inotify.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using testing::write_whole_file;

class InotifyWatcherTest : public ::testing::Test {
 protected:
  InotifyWatcherTest() {
    watcher_ = make_inotify_watcher([] {});
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

  // The names marked in one directory; "+name" for those that arrived.
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

  testing::RepoBuilder files_;  // for its temporary directory
  std::unique_ptr<Watcher> watcher_;
};

TEST_F(InotifyWatcherTest, MarksWhatIsCreatedChangedAndDeleted) {
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

TEST_F(InotifyWatcherTest, ReadingAndListingIsNoEvent) {
  write_whole_file(path("d/f"), "1");
  const WatchId id = watch("d");
  EXPECT_EQ(testing::read_whole_file(path("d/f")), "1");
  for (const auto& entry : stdfs::directory_iterator(path("d"))) (void)entry;
  EXPECT_EQ(drained(id), Names{});
}

TEST_F(InotifyWatcherTest, ARenameMarksBothNames) {
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

TEST_F(InotifyWatcherTest, ADirectoryThatMovesKeepsItsId) {
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

TEST_F(InotifyWatcherTest, ADeletedDirectorysIdIsNotUsedAgain) {
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

TEST_F(InotifyWatcherTest, ADirectorysOwnEndMarksIt) {
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  stdfs::remove(path("d"));
  EXPECT_EQ(drained(id), Names{""});
}

TEST_F(InotifyWatcherTest, WhatIsRemovedTellsNothingMore) {
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  watcher_->remove(id);
  (void)watcher_->drain();
  write_whole_file(path("d/f"), "1");
  EXPECT_TRUE(watcher_->drain().empty());
}

TEST_F(InotifyWatcherTest, NamesAreBytes) {
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  const std::string name = "new\nline \"\xff\xfe";
  write_whole_file(path("d/") + name, "1");
  EXPECT_EQ(drained(id), Names{"+" + name});
}

TEST_F(InotifyWatcherTest, AnEventIsThereOnceTheCallReturned) {
  write_whole_file(path("d/f"), "");
  const WatchId id = watch("d");
  UniqueFd file(::open(path("d/f").c_str(), O_WRONLY | O_APPEND));
  ASSERT_TRUE(file.valid());
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(::write(file.get(), "x", 1), 1);
    ASSERT_EQ(drained(id), Names{"f"}) << i;
  }
}

TEST_F(InotifyWatcherTest, AWriterOnAnotherThreadIsSeen) {
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  for (int i = 0; i < 100; ++i) {
    const std::string name = std::to_string(i);
    std::async(std::launch::async, [&] { write_whole_file(path("d/") + name, "1"); }).get();
    ASSERT_EQ(drained(id), Names{"+" + name});
  }
}

TEST_F(InotifyWatcherTest, AddingWhatIsNoDirectoryAnyMoreFails) {
  write_whole_file(path("f"), "1");
  UniqueFd file(::open(path("f").c_str(), O_RDONLY));
  // IN_ONLYDIR: what is no directory is refused.
  Directory wrong(&posix_file_system(), ::dup(file.get()));
  EXPECT_FALSE(watcher_->add(wrong).ok());
}

TEST(InotifyWatcher, WakesOnAnEventAndEndsItsThread) {
  testing::RepoBuilder files;
  for (int i = 0; i < 20; ++i) {
    std::promise<void> woken;
    std::atomic<bool> done{false};
    auto watcher = make_inotify_watcher([&] {
      if (!done.exchange(true)) woken.set_value();
    });
    auto directory = posix_file_system().open_directory(files.root());
    ASSERT_TRUE(watcher->add(*directory).ok());
    write_whole_file(files.path("f" + std::to_string(i)), "1");
    woken.get_future().get();
    // Whatever is still queued: nothing may be called any more.
    write_whole_file(files.path("g"), "1");
    watcher.reset();
    done = false;
    write_whole_file(files.path("h"), "1");
    EXPECT_FALSE(done);
  }
}

// What each open descriptor of this process is.
int inotify_instances() {
  int count = 0;
  for (const auto& entry : stdfs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    count += stdfs::read_symlink(entry.path(), gone) == "anon_inode:inotify";
  }
  return count;
}

TEST_F(InotifyWatcherTest, AllWatchersShareOneInstance) {
  EXPECT_EQ(inotify_instances(), 1);
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < 300; ++i) watchers.push_back(make_inotify_watcher([] {}));
  EXPECT_EQ(inotify_instances(), 1);
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  auto directory = posix_file_system().open_directory(path("d"));
  for (const auto& watcher : watchers) EXPECT_EQ(watcher->add(*directory)->id, id);
  write_whole_file(path("d/f"), "1");
  EXPECT_EQ(drained(id), Names{"+f"});
  for (const auto& watcher : watchers) {
    EXPECT_EQ(watcher->drain().directories().at(id).names.size(), 1u);
    EXPECT_TRUE(watcher->drain().empty());
  }
  watchers.clear();
  watcher_.reset();
  EXPECT_EQ(inotify_instances(), 0);
}

TEST_F(InotifyWatcherTest, EachIsToldWhatItAskedFor) {
  write_whole_file(path("d/f"), "1");
  const WatchId id = watch("d");
  auto directory = posix_file_system().open_directory(path("d"));
  auto names = make_inotify_watcher([] {});
  auto place = make_inotify_watcher([] {});
  ASSERT_TRUE(names->add(*directory, Watcher::Scope::kNames).ok());
  ASSERT_TRUE(place->add(*directory, Watcher::Scope::kPlace).ok());

  std::ofstream(path("d/f"), std::ios::app) << "2";
  EXPECT_EQ(drained(id), Names{"f"});
  EXPECT_TRUE(names->drain().empty());
  EXPECT_TRUE(place->drain().empty());
  std::ofstream(path("d/g")) << "1";
  EXPECT_EQ(drained(id), Names{"+g"});
  EXPECT_EQ(names->drain().directories().at(id).names.size(), 1u);
  EXPECT_TRUE(place->drain().empty());

  // What one does not want any more the others still want.
  watcher_->remove(id);
  names.reset();
  write_whole_file(path("d/h"), "1");
  EXPECT_EQ(drained(id), Names{});
  stdfs::rename(path("d"), path("e"));
  EXPECT_EQ(place->drain().directories().at(id).names.count(""), 1u);
}

TEST_F(InotifyWatcherTest, WhoReadsWakesTheOthers) {
  stdfs::create_directory(path("d"));
  std::promise<void> woken;
  std::atomic<int> calls{0};
  auto other = make_inotify_watcher([&] {
    if (++calls == 1) woken.set_value();
  });
  auto directory = posix_file_system().open_directory(path("d"));
  const WatchId id = other->add(*directory)->id;
  for (int i = 0; i < 100; ++i) {
    write_whole_file(path("d/" + std::to_string(i)), "1");
    // Whether this or the queue's own thread is first.
    (void)watcher_->drain();
  }
  woken.get_future().get();
  EXPECT_EQ(other->drain().directories().at(id).names.size(), 100u);
}

TEST_F(InotifyWatcherTest, AWatcherThatEndsLeavesTheOthersTheirWatches) {
  constexpr int kDirectories = 3000;
  auto ending = make_inotify_watcher([] {});
  for (int i = 0; i < kDirectories; ++i) {
    stdfs::create_directory(path("d" + std::to_string(i)));
    auto directory = posix_file_system().open_directory(path("d" + std::to_string(i)));
    ASSERT_TRUE(ending->add(*directory).ok());
  }
  const WatchId shared = watch("d7");
  (void)watcher_->drain();
  ending.reset();
  write_whole_file(path("d7/f"), "1");
  EXPECT_EQ(drained(shared), Names{"+f"}) << "and what was removed overflowed nothing";
}

// Of all inotify instances of this process.
size_t kernel_watches() {
  size_t count = 0;
  for (const auto& entry : stdfs::directory_iterator("/proc/self/fdinfo")) {
    std::ifstream info(entry.path());
    for (std::string line; std::getline(info, line);) count += line.starts_with("inotify wd:");
  }
  return count;
}

TEST_F(InotifyWatcherTest, WatchersThatComeAndGoPileUpNoWatches) {
  constexpr size_t kDirectories = 500;
  std::vector<Directory> directories;
  for (size_t i = 0; i < kDirectories; ++i) {
    const std::string name = path("d" + std::to_string(i));
    stdfs::create_directory(name);
    directories.push_back(std::move(posix_file_system().open_directory(name)).value());
  }
  const WatchId shared = watch("d7");
  for (int round = 0; round < 20; ++round) {
    auto watcher = make_inotify_watcher([] {});
    for (const Directory& directory : directories) ASSERT_TRUE(watcher->add(directory).ok());
    watcher.reset();
    EXPECT_LE(kernel_watches(), kDirectories) << round;
  }
  while (kernel_watches() > 1) std::this_thread::yield();
  write_whole_file(path("d7/f"), "1");
  EXPECT_EQ(drained(shared), Names{"+f"});
}

// Several watchers come and go at the same directories while others write there: what is found by
// reading a directory after add() and what is told since are together everything.
TEST_F(InotifyWatcherTest, WhatHappensAfterAddIsToldWhoeverElseComesAndGoes) {
  constexpr int kDirectories = 3, kAdders = 4, kRounds = 400;
  for (int i = 0; i < kDirectories; ++i) stdfs::create_directory(path(std::to_string(i)));
  const auto listed = [](const Directory& directory) {
    std::set<std::string> names;
    DirectoryListing listing;
    EXPECT_TRUE(posix_file_system().list(directory, listing).ok());
    for (size_t i = 0; i < listing.size(); ++i) names.emplace(listing[i].name);
    return names;
  };
  std::atomic<bool> done{false};
  std::atomic<uint64_t> writes{0};
  std::thread writer([&] {
    for (uint64_t i = 0; !done; writes = ++i) {
      const std::string file =
          path(std::to_string(i % kDirectories)) + "/" + std::to_string(i / kDirectories % 8);
      if (::unlink(file.c_str()) != 0) write_whole_file(file, "1");
    }
  });
  std::vector<std::thread> adders;
  for (int adder = 0; adder < kAdders; ++adder) {
    adders.emplace_back([&, adder] {
      auto watcher = make_inotify_watcher([] {});
      for (int round = 0; round < kRounds; ++round) {
        if (round % 50 == 49) watcher = make_inotify_watcher([] {});
        auto directory = posix_file_system().open_directory(
            path(std::to_string((adder + round) % kDirectories)));
        const WatchId id = watcher->add(*directory)->id;
        const std::set<std::string> found = listed(*directory);
        const uint64_t before = writes;
        while (writes < before + 2 * kDirectories) std::this_thread::yield();
        const std::set<std::string> now = listed(*directory);
        const Batch batch = watcher->drain();
        const auto marks = batch.directories().find(id);
        std::set<std::string> changed;
        std::set_symmetric_difference(found.begin(), found.end(), now.begin(), now.end(),
                                      std::inserter(changed, changed.end()));
        // More than the kernel's queue holds is told as lost.
        if (!batch.desynced().empty()) changed.clear();
        for (const std::string& name : changed) {
          EXPECT_TRUE(marks != batch.directories().end() && marks->second.names.contains(name))
              << name;
        }
        watcher->remove(id);
      }
    });
  }
  for (std::thread& adder : adders) adder.join();
  done = true;
  writer.join();
}

TEST(InotifyWatcher, WithoutAnInstanceNothingIsWatchedUntilThereIsOne) {
  testing::RepoBuilder files;
  auto directory = posix_file_system().open_directory(files.root());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  auto watcher = make_inotify_watcher([] {});
  auto refused = watcher->add(*directory);
  const std::string why = watcher->why_nothing();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);

  ASSERT_TRUE(refused.ok());
  EXPECT_TRUE(refused->at_limit);
  EXPECT_NE(why.find("fs.inotify.max_user_instances"), std::string::npos) << why;
  EXPECT_TRUE(watcher->drain().empty());
  auto added = watcher->add(*directory);
  ASSERT_TRUE(added.ok());
  EXPECT_FALSE(added->at_limit);
  EXPECT_EQ(watcher->why_nothing(), "");
  write_whole_file(files.path("f"), "1");
  EXPECT_EQ(watcher->drain().directories().at(added->id).names.count("f"), 1u);
}

TEST(InotifyWatcher, WithoutAThreadNothingIsWatchedUntilThereIsOne) {
  RESIDENT_NEEDS_ROOT();
  testing::RepoBuilder files;
  ASSERT_EQ(::chmod(files.root().c_str(), 0755), 0);
  auto directory = posix_file_system().open_directory(files.root());
  testing::in_child([&] {
    testing::allow_no_more_threads();
    auto watcher = make_inotify_watcher([] {});
    auto refused = watcher->add(*directory);
    ASSERT_TRUE(refused.ok());
    EXPECT_TRUE(refused->at_limit);
    EXPECT_EQ(watcher->why_nothing(),
              "cannot start a thread: Resource temporarily unavailable: raise the limit on "
              "processes and threads");
    testing::allow_more_threads();
    auto added = watcher->add(*directory);
    ASSERT_TRUE(added.ok()) << added.error().message;
    EXPECT_FALSE(added->at_limit);
    EXPECT_EQ(watcher->why_nothing(), "");
  });
}

TEST(InotifyWatcher, TheLimitIsKnown) {
  uint64_t limit = 0;
  std::ifstream("/proc/sys/fs/inotify/max_user_watches") >> limit;
  EXPECT_GT(limit, 0u);
  EXPECT_EQ(inotify_watch_limit(), limit);
}

}  // namespace
}  // namespace resident
