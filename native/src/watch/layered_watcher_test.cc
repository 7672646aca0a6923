#include "watch/layered_watcher.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "fs/linux/posix_file_system.h"
#include "testing/repo_builder.h"
#include "watch/linux/fanotify/fanotify_watcher.h"
#include "watch/own_limits_test_support.h"
#include "watch/watch_ids.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using testing::write_whole_file;

class LayeredWatcherTest : public ::testing::Test {
 protected:
  static constexpr int kDirectories = 10;

  void SetUp() override {
    RESIDENT_NEEDS_OWN_LIMITS();
    for (int i = 0; i < kDirectories; ++i) stdfs::create_directory(path(i));
    FanotifyWatcher watcher([] {});
    if (watcher.add(open(0))->at_limit) GTEST_SKIP() << "fanotify does not watch here";
  }

  std::string path(int number) const { return files_.path("d" + std::to_string(number)); }
  Directory open(int number) const {
    return std::move(posix_file_system().open_directory(path(number))).value();
  }
  std::vector<WatchId> add_all(Watcher& watcher) const {
    std::vector<WatchId> ids;
    for (int i = 0; i < kDirectories; ++i) {
      const auto added = watcher.add(open(i));
      EXPECT_TRUE(added.ok());
      EXPECT_EQ(added->at_limit, added->id == kNoWatch);
      ids.push_back(added->id);
    }
    return ids;
  }

  testing::RepoBuilder files_;
};

int by_fanotify(const std::vector<WatchId>& ids) {
  return static_cast<int>(std::count_if(ids.begin(), ids.end(), is_of_fanotify));
}
int not_at_all(const std::vector<WatchId>& ids) {
  return static_cast<int>(std::count(ids.begin(), ids.end(), kNoWatch));
}

TEST_F(LayeredWatcherTest, WhatInotifyHasNoWatchesForIsToldByFanotify) {
  testing::with_own_limits([&] {
    testing::limit_to("inotify_watches", 3);
    auto watcher = make_layered_watcher([] {});
    EXPECT_TRUE(watcher->tells_of_subdirectories());
    const std::vector<WatchId> ids = add_all(*watcher);
    EXPECT_FALSE(watcher->tells_of_subdirectories());
    EXPECT_EQ(std::set<WatchId>(ids.begin(), ids.end()).size(), ids.size());
    EXPECT_EQ(not_at_all(ids), 0);
    EXPECT_EQ(by_fanotify(ids), kDirectories - 3);
    EXPECT_EQ(add_all(*watcher), ids);
    EXPECT_TRUE(watcher->drain().empty());

    for (int i = 0; i < kDirectories; ++i) write_whole_file(path(i) + "/f", "1");
    const Batch batch = watcher->drain();
    EXPECT_EQ(batch.desynced(), "");
    for (const WatchId id : ids) EXPECT_TRUE(batch.directories().at(id).names.at("f").arrived);
    EXPECT_TRUE(watcher->drain().empty());

    // A directory keeps its id, though inotify has room for it by now.
    testing::limit_to("inotify_watches", 100);
    EXPECT_EQ(add_all(*watcher), ids);
    auto other = make_layered_watcher([] {});
    EXPECT_EQ(by_fanotify(add_all(*other)), 0) << "this one has not been at the limit";
    for (const WatchId id : ids) watcher->remove(id);
    EXPECT_EQ(by_fanotify(add_all(*watcher)), 0);
  });
}

TEST_F(LayeredWatcherTest, BeyondBothLimitsNothingIsWatchedUntilAWatchIsGivenBack) {
  testing::with_own_limits([&] {
    testing::limit_to("inotify_watches", 3);
    testing::limit_to("fanotify_marks", 4);
    auto watcher = make_layered_watcher([] {});
    const std::vector<WatchId> ids = add_all(*watcher);
    EXPECT_EQ(by_fanotify(ids), 4);
    EXPECT_EQ(not_at_all(ids), kDirectories - 7);
    EXPECT_EQ(watcher->why_nothing(), "");

    ASSERT_TRUE(is_of_fanotify(ids[3]));
    watcher->remove(ids[3]);
    const auto added = watcher->add(open(kDirectories - 1));
    EXPECT_TRUE(is_of_fanotify(added->id));
    EXPECT_EQ(watcher->add(open(3))->at_limit, true);

    // What a watcher leaves is there for others, while one goes on that keeps the queue.
    auto keeps = make_layered_watcher([] {});
    const WatchId kept = keeps->add(open(4))->id;
    EXPECT_EQ(kept, ids[4]);
    watcher = make_layered_watcher([] {});
    const std::vector<WatchId> again = add_all(*watcher);
    EXPECT_EQ(again[4], kept);
    EXPECT_EQ(by_fanotify(again), 4);
    EXPECT_EQ(not_at_all(again), kDirectories - 7);
    write_whole_file(path(4) + "/f", "1");
    EXPECT_EQ(keeps->drain().directories().at(kept).names.size(), 1u);
  });
}

TEST_F(LayeredWatcherTest, AMarkThatCannotBeTakenBackIsEndedWithAllOthers) {
  testing::with_own_limits([&] {
    testing::limit_to("inotify_watches", 0);
    testing::limit_to("fanotify_marks", 4);
    auto watcher = make_layered_watcher([] {});
    const std::vector<WatchId> ids = add_all(*watcher);
    EXPECT_EQ(by_fanotify(ids), 4);
    stdfs::rename(path(0), files_.path("elsewhere"));
    stdfs::rename(path(1), files_.path("d0"));
    EXPECT_EQ(watcher->drain().directories().count(ids[0]), 1u);
    watcher->remove(ids[0]);
    watcher->remove(ids[1]);
    write_whole_file(files_.path("elsewhere/f"), "1");
    EXPECT_TRUE(watcher->drain().empty()) << "nobody wants to know";

    const auto added = watcher->add(open(5));
    EXPECT_TRUE(is_of_fanotify(added->id));
    const Batch batch = watcher->drain();
    EXPECT_EQ(batch.desynced(), "the directory watches are being restarted");
    EXPECT_TRUE(batch.watches_lost());
    write_whole_file(path(5) + "/f", "1");
    EXPECT_EQ(watcher->drain().directories().at(added->id).names.size(), 1u);
    EXPECT_FALSE(watcher->add(open(6))->at_limit);
  });
}

TEST_F(LayeredWatcherTest, WithoutAnInotifyInstanceFanotifyWatches) {
  testing::with_own_limits([&] {
    testing::limit_to("inotify_instances", 0);
    auto watcher = make_layered_watcher([] {});
    EXPECT_EQ(watcher->why_nothing(), "");
    const std::vector<WatchId> ids = add_all(*watcher);
    EXPECT_EQ(by_fanotify(ids), kDirectories);
    write_whole_file(path(1) + "/f", "1");
    EXPECT_EQ(watcher->drain().directories().at(ids[1]).names.size(), 1u);
  });
  testing::with_own_limits([&] {
    testing::limit_to("inotify_instances", 0);
    testing::limit_to("fanotify_groups", 0);
    auto watcher = make_layered_watcher([] {});
    EXPECT_NE(watcher->why_nothing().find("fs.inotify.max_user_instances"), std::string::npos);
    EXPECT_EQ(not_at_all(add_all(*watcher)), kDirectories);
    testing::limit_to("inotify_instances", 1);
    EXPECT_EQ(not_at_all(add_all(*watcher)), 0);
    EXPECT_EQ(watcher->why_nothing(), "");
  });
}

TEST_F(LayeredWatcherTest, AFileIsInotifysAlone) {
  testing::with_own_limits([&] {
    testing::limit_to("inotify_watches", 0);
    write_whole_file(files_.path("f"), "1");
    auto watcher = make_layered_watcher([] {});
    EXPECT_TRUE(watcher->add_file(files_.path("f"))->at_limit);
  });
}

}  // namespace
}  // namespace resident
