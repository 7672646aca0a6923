// Tests the common behaviour of the watchers over the kernel's interfaces.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
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

#include "fs/linux/posix_file_system.h"
#include "os/unique_fd.h"
#include "testing/needs_inotify.h"
#include "testing/repo_builder.h"
#include "watch/layered_watcher.h"
#include "watch/linux/fanotify/fanotify_watcher.h"
#include "watch/linux/inotify/inotify_watcher.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using testing::write_whole_file;

// A backend, and how /proc shows its kernel objects.
struct Backend {
  const char* name;
  std::unique_ptr<Watcher> (*make)(std::function<void()> wake);
  const char* instance;  // link target of its descriptor
  const char* watch;     // start of a watch's line in its fdinfo
};

void PrintTo(const Backend& backend, std::ostream* out) {
  *out << backend.name;
}

const Backend kBackends[] = {
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
    for (const auto& entry : stdfs::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      count += stdfs::read_symlink(entry.path(), gone) == GetParam().instance;
    }
    return count;
  }
  // The total number of kernel watches in all instances.
  size_t kernel_watches() const {
    size_t count = 0;
    for (const auto& entry : stdfs::directory_iterator("/proc/self/fdinfo")) {
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

TEST_P(KernelWatcherTest, AllWatchersShareOneInstance) {
  (void)watch("");
  EXPECT_EQ(instances(), 1);
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < 300; ++i) watchers.push_back(make_watcher([] {}));
  EXPECT_EQ(instances(), 1);
  stdfs::create_directory(path("d"));
  const WatchId id = watch("d");
  (void)watcher_->drain();
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
  EXPECT_EQ(instances(), 0);
}

TEST_P(KernelWatcherTest, EachIsToldWhatItAskedFor) {
  write_whole_file(path("d/f"), "1");
  const WatchId id = watch("d");
  auto directory = posix_file_system().open_directory(path("d"));
  auto names = make_watcher([] {});
  auto place = make_watcher([] {});
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

  // A watch that a watcher removes remains for the others.
  watcher_->remove(id);
  names.reset();
  write_whole_file(path("d/h"), "1");
  EXPECT_EQ(drained(id), Names{});
  stdfs::rename(path("d"), path("e"));
  EXPECT_EQ(place->drain().directories().at(id).names.count(""), 1u);
}

TEST_P(KernelWatcherTest, WhoReadsWakesTheOthers) {
  stdfs::create_directory(path("d"));
  std::promise<void> woken;
  std::atomic<int> calls{0};
  auto other = make_watcher([&] {
    if (++calls == 1) woken.set_value();
  });
  auto directory = posix_file_system().open_directory(path("d"));
  const WatchId id = other->add(*directory)->id;
  for (int i = 0; i < 100; ++i) {
    write_whole_file(path("d/" + std::to_string(i)), "1");
    // Either this call or the queue's own thread may read first.
    (void)watcher_->drain();
  }
  woken.get_future().get();
  EXPECT_EQ(other->drain().directories().at(id).names.size(), 100u);
}

TEST_P(KernelWatcherTest, AWatcherThatEndsLeavesTheOthersTheirWatches) {
  constexpr int kDirectories = 3000;
  auto ending = make_watcher([] {});
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

TEST_P(KernelWatcherTest, WatchersThatComeAndGoPileUpNoWatches) {
  constexpr size_t kDirectories = 500;
  std::vector<Directory> directories;
  for (size_t i = 0; i < kDirectories; ++i) {
    const std::string name = path("d" + std::to_string(i));
    stdfs::create_directory(name);
    directories.push_back(std::move(posix_file_system().open_directory(name)).value());
  }
  const WatchId shared = watch("d7");
  for (int round = 0; round < 20; ++round) {
    auto watcher = make_watcher([] {});
    for (const Directory& directory : directories) ASSERT_TRUE(watcher->add(directory).ok());
    watcher.reset();
    EXPECT_LE(kernel_watches(), kDirectories) << round;
  }
  while (kernel_watches() > 1) std::this_thread::yield();
  write_whole_file(path("d7/f"), "1");
  EXPECT_EQ(drained(shared), Names{"+f"});
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

// Several watchers add and remove the same directories while other threads write in them. The
// listing after add() and the later events must together show every file.
TEST_P(KernelWatcherTest, WhatHappensAfterAddIsToldWhoeverElseComesAndGoes) {
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
      auto watcher = make_watcher([] {});
      for (int round = 0; round < kRounds; ++round) {
        if (round % 50 == 49) watcher = make_watcher([] {});
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
        // An overflow of the kernel's queue is reported as lost events.
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

INSTANTIATE_TEST_SUITE_P(Kernel, KernelWatcherTest, ::testing::ValuesIn(kBackends),
                         [](const auto& backend) { return std::string(backend.param.name); });

}  // namespace
}  // namespace resident
