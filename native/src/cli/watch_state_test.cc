#include "cli/watch_state.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

using namespace std::chrono_literals;

const auto kRead = std::chrono::steady_clock::time_point{} + 1h;

ChangedEntry changed(const std::string& path, Change index, Change worktree,
                     const std::string& from = "") {
  ChangedEntry entry;
  entry.path = path;
  entry.index = index;
  entry.worktree = worktree;
  entry.from = from;
  return entry;
}

UnmergedEntry unmerged(const std::string& path) {
  UnmergedEntry entry;
  entry.path = path;
  entry.stages[1].mode = entry.stages[2].mode = 0100644;
  return entry;
}

class WatchStateTest : public ::testing::Test {
 protected:
  WatchStateTest() {
    StatusDelta scanned;
    scanned.state.emplace().kind = ModelState::Kind::kWatching;
    apply({scanned, false});
  }

  // A step that an event caused. `more`: this is not its last chunk.
  void step(StatusDelta delta, bool more = false) {
    delta.base_version = version_;
    delta.version = ++version_;
    delta.since = kRead;
    apply({std::move(delta), more});
  }
  void apply(const DeltaChunk& chunk) { state_.apply(chunk, kRead + 2ms, "12:00:00"); }

  std::string rows(WatchGroup group) const {
    std::string text;
    for (const auto& [path, row] : state_.rows(group)) {
      text += row.letters + " " + row.from + (row.from.empty() ? "" : ">") + path + "\n";
    }
    return text;
  }
  std::string last() const {
    const WatchedChange& change = state_.changes().front();
    return change.letters + " " + change.path + " +" + std::to_string(change.others);
  }

  uint64_t version_ = 1;
  WatchState state_;
};

TEST_F(WatchStateTest, APathIsInEachGroupThatItBelongsTo) {
  StatusDelta delta;
  delta.changed = {changed("both", Change::kModified, Change::kDeleted),
                   changed("new", Change::kRenamed, Change::kModified, "old"),
                   changed("there", Change::kNone, Change::kRenamed, "here")};
  delta.unmerged = {unmerged("c")};
  delta.untracked = {"u"};
  step(delta);
  EXPECT_EQ(rows(WatchGroup::kConflicts), "AA c\n");
  EXPECT_EQ(rows(WatchGroup::kStaged), "M both\nR old>new\n");
  EXPECT_EQ(rows(WatchGroup::kChanged), "D both\nM new\nR here>there\n");
  EXPECT_EQ(rows(WatchGroup::kUntracked), "? u\n");
  EXPECT_EQ(last(), "MD both +4");

  delta = {};
  delta.changed = {changed("c", Change::kModified, Change::kNone),
                   changed("both", Change::kNone, Change::kModified)};
  delta.unmerged = {unmerged("new")};
  delta.removed = {"there"};
  delta.removed_untracked = {"u"};
  step(delta);
  EXPECT_EQ(rows(WatchGroup::kConflicts), "AA new\n");
  EXPECT_EQ(rows(WatchGroup::kStaged), "M c\n");
  EXPECT_EQ(rows(WatchGroup::kChanged), "M both\n");
  EXPECT_EQ(rows(WatchGroup::kUntracked), "");
}

TEST_F(WatchStateTest, AStepOfSeveralChunksIsOneChange) {
  StatusDelta delta;
  delta.untracked = {"a"};
  step(delta, true);
  EXPECT_FALSE(state_.is_whole());
  EXPECT_TRUE(state_.changes().empty());
  delta.untracked = {"b"};
  step(delta);
  EXPECT_TRUE(state_.is_whole());
  ASSERT_EQ(state_.changes().size(), 1u);
  EXPECT_EQ(last(), "? a +1");
  EXPECT_EQ(state_.changes().front().latency, 2ms);
  EXPECT_EQ(state_.changes().front().time, "12:00:00");
}

TEST_F(WatchStateTest, WhatIsNoChange) {
  StatusDelta delta;
  delta.untracked = {"a"};
  apply({delta, false});  // from version 0
  // The result of the first scan.
  delta = {};
  delta.state.emplace();
  step(delta);
  delta.untracked = {"b"};
  delta.state->kind = ModelState::Kind::kWatching;
  step(delta);
  // The state alone is no change of the worktree.
  delta = {};
  delta.state.emplace().kind = ModelState::Kind::kWatching;
  step(delta);
  EXPECT_TRUE(state_.changes().empty());
  delta.branch.emplace();
  step(delta);
  ASSERT_EQ(state_.changes().size(), 1u);
  EXPECT_EQ(last(), "  +0");
}

TEST_F(WatchStateTest, AChangeThatNoEventBeganHasNoLatency) {
  StatusDelta delta;
  delta.base_version = 1;
  delta.removed = {"a"};
  apply({delta, false});
  ASSERT_EQ(state_.changes().size(), 1u);
  EXPECT_EQ(last(), "- a +0");
  EXPECT_EQ(state_.changes().front().latency, std::nullopt);
}

TEST_F(WatchStateTest, WhatIsToldAnewReplacesWhatWas) {
  StatusDelta delta;
  delta.untracked = {"a"};
  step(delta);
  delta = {};
  delta.untracked = {"b"};
  delta.since = kRead;
  apply({delta, true});
  delta.base_version = 1;
  delta.untracked = {"c"};
  apply({delta, false});
  EXPECT_EQ(rows(WatchGroup::kUntracked), "? b\n? c\n");
  EXPECT_EQ(state_.changes().size(), 1u);
}

TEST_F(WatchStateTest, RemembersSoManyChanges) {
  for (size_t i = 0; i < WatchState::kChanges + 5; ++i) {
    StatusDelta delta;
    delta.untracked = {std::to_string(i)};
    step(delta);
  }
  EXPECT_EQ(state_.changes().size(), WatchState::kChanges);
  EXPECT_EQ(last(), "? 104 +0");
}

TEST_F(WatchStateTest, AWorktreeThatWentAwayFailed) {
  step({}, true);
  state_.gone("removed");
  EXPECT_TRUE(state_.is_whole());
  EXPECT_EQ(state_.state().kind, ModelState::Kind::kFailed);
  EXPECT_EQ(state_.state().message, "removed");
}

}  // namespace
}  // namespace resident
