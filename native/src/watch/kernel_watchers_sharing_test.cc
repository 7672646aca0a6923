// Tests several watchers that share one object of the kernel.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <future>
#include <set>
#include <thread>
#include <vector>

#include "watch/kernel_watchers_test_support.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using testing::write_whole_file;

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

}  // namespace
}  // namespace resident
