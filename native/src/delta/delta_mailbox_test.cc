#include "delta/delta_mailbox.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>

namespace resident {
namespace {

ChangedEntry changed(std::string path, Change worktree = Change::kModified) {
  ChangedEntry entry;
  entry.path = std::move(path);
  entry.worktree = worktree;
  return entry;
}

StatusDelta delta(uint64_t base) {
  StatusDelta result;
  result.base_version = base;
  result.version = base + 1;
  return result;
}

// For tests in which no replay may be requested.
void never() {
  ADD_FAILURE() << "a replay was asked for";
}

// Folds chunks like a receiver of the protocol.
struct Receiver {
  uint64_t version = 0;
  std::map<std::string, Change> tracked;
  std::set<std::string> untracked;

  void fold(const DeltaChunk& chunk) {
    const StatusDelta& d = chunk.delta;
    if (d.base_version == 0) {
      tracked.clear();
      untracked.clear();
    } else {
      EXPECT_EQ(d.base_version, version);
    }
    EXPECT_GT(d.version, version);
    version = d.version;
    for (const std::string& path : d.removed) tracked.erase(path);
    for (const std::string& path : d.removed_untracked) untracked.erase(path);
    for (const ChangedEntry& entry : d.changed) tracked[entry.path] = entry.worktree;
    untracked.insert(d.untracked.begin(), d.untracked.end());
  }

  StatusDelta whole() const {
    StatusDelta all;
    all.version = version;
    for (const auto& [path, change] : tracked) all.changed.push_back(changed(path, change));
    all.untracked.assign(untracked.begin(), untracked.end());
    return all;
  }
};

TEST(DeltaMailbox, WakesOncePerEmptyLook) {
  DeltaMailbox mailbox(never);
  EXPECT_TRUE(mailbox.put(delta(0)));
  EXPECT_FALSE(mailbox.put(delta(1)));
  EXPECT_TRUE(mailbox.take().has_value());
  // The receiver has not seen an empty mailbox yet. It keeps taking without a wake-up.
  EXPECT_FALSE(mailbox.put(delta(2)));
  EXPECT_TRUE(mailbox.take().has_value());
  EXPECT_FALSE(mailbox.take().has_value());
  EXPECT_TRUE(mailbox.put(delta(3)));
}

TEST(DeltaMailbox, SplitsByCountAndTellsTheRestLast) {
  DeltaMailbox mailbox({.entries = 3, .bytes = 1 << 20}, never);
  StatusDelta first = delta(0);
  for (int i = 0; i < 7; ++i) first.untracked.push_back("f" + std::to_string(i));
  first.operation = Operation::kRebase;
  first.operation_step = "2/5";
  first.content_changed = true;
  ASSERT_TRUE(mailbox.put(std::move(first)));

  Receiver receiver;
  std::vector<size_t> sizes;
  for (std::optional<DeltaChunk> chunk; (chunk = mailbox.take());) {
    receiver.fold(*chunk);
    sizes.push_back(chunk->delta.untracked.size());
    EXPECT_EQ(chunk->more, sizes.size() < 3);
    EXPECT_EQ(chunk->delta.operation.has_value(), !chunk->more);
    EXPECT_EQ(chunk->delta.operation_step.has_value(), !chunk->more);
    EXPECT_EQ(chunk->delta.content_changed, !chunk->more);
  }
  EXPECT_EQ(sizes, (std::vector<size_t>{3, 3, 1}));
  EXPECT_EQ(receiver.untracked.size(), 7u);
  EXPECT_EQ(receiver.version, 3u);
}

TEST(DeltaMailbox, TheNewestPlaceComesWithTheLastChunk) {
  DeltaMailbox mailbox({.entries = 1, .bytes = 1 << 20}, never);
  for (const char* git_dir : {"/old", "/new"}) {
    StatusDelta from_scratch = delta(0);
    from_scratch.untracked = {"a", "b"};
    from_scratch.place = StatusDelta::Place{git_dir, "/common"};
    (void)mailbox.put(std::move(from_scratch));
  }
  EXPECT_EQ(mailbox.take()->delta.place, std::nullopt);
  EXPECT_EQ(mailbox.take()->delta.place, (StatusDelta::Place{"/new", "/common"}));
}

TEST(DeltaMailbox, SplitsByBytesButAlwaysAdvances) {
  DeltaMailbox mailbox({.entries = 100, .bytes = 300}, never);
  StatusDelta first = delta(0);
  first.untracked = {std::string(1000, 'a'), std::string(100, 'b'), std::string(100, 'c')};
  ASSERT_TRUE(mailbox.put(std::move(first)));
  for (bool more : {true, true, false}) {
    std::optional<DeltaChunk> chunk = mailbox.take();
    ASSERT_TRUE(chunk);
    EXPECT_EQ(chunk->delta.untracked.size(), 1u);
    EXPECT_EQ(chunk->more, more);
  }
}

TEST(DeltaMailbox, NewestStateWins) {
  DeltaMailbox mailbox(never);
  StatusDelta first = delta(0);
  first.changed = {changed("a"), changed("b")};
  first.untracked = {"a", "c"};
  ASSERT_TRUE(mailbox.put(std::move(first)));
  StatusDelta second = delta(1);
  second.changed = {changed("b", Change::kDeleted)};
  second.removed = {"a"};
  second.removed_untracked = {"c"};
  ASSERT_FALSE(mailbox.put(std::move(second)));

  std::optional<DeltaChunk> chunk = mailbox.take();
  ASSERT_TRUE(chunk);
  ASSERT_EQ(chunk->delta.changed.size(), 1u);
  EXPECT_EQ(chunk->delta.changed[0].worktree, Change::kDeleted);
  EXPECT_EQ(chunk->delta.removed, std::vector<std::string>{"a"});
  // The tracked row of "a" is gone. Its untracked row is a different row.
  EXPECT_EQ(chunk->delta.untracked, std::vector<std::string>{"a"});
  EXPECT_EQ(chunk->delta.removed_untracked, std::vector<std::string>{"c"});
}

TEST(DeltaMailbox, KeepsTheEarliestEvent) {
  DeltaMailbox mailbox(never);
  const auto early = std::chrono::steady_clock::time_point(std::chrono::seconds(5));
  StatusDelta first = delta(0);  // without an event
  StatusDelta second = delta(1);
  second.since = early + std::chrono::seconds(1);
  StatusDelta third = delta(2);
  third.since = early;
  ASSERT_TRUE(mailbox.put(std::move(first)));
  ASSERT_FALSE(mailbox.put(std::move(second)));
  ASSERT_FALSE(mailbox.put(std::move(third)));
  EXPECT_EQ(mailbox.take()->delta.since, early);
}

TEST(DeltaMailbox, ReplayDropsWhatWaitsButNoFlag) {
  DeltaMailbox mailbox({.entries = 2, .bytes = 1 << 20}, never);
  StatusDelta first = delta(0);
  first.untracked = {"gone1", "gone2", "gone3"};
  first.ignore_rules_changed = true;
  first.unwatched_files = {"/linked"};
  first.problems = {"dir: permission denied"};
  ASSERT_TRUE(mailbox.put(std::move(first)));
  ASSERT_TRUE(mailbox.take()->more);

  StatusDelta replay = delta(0);
  replay.version = 9;
  replay.untracked = {"here"};
  ASSERT_FALSE(mailbox.put(std::move(replay)));
  std::optional<DeltaChunk> chunk = mailbox.take();
  ASSERT_TRUE(chunk);
  EXPECT_EQ(chunk->delta.base_version, 0u);
  EXPECT_EQ(chunk->delta.version, 2u);
  EXPECT_EQ(chunk->delta.untracked, std::vector<std::string>{"here"});
  EXPECT_TRUE(chunk->delta.ignore_rules_changed);
  EXPECT_EQ(chunk->delta.unwatched_files, std::vector<std::string>{"/linked"});
  EXPECT_EQ(chunk->delta.problems, std::vector<std::string>{"dir: permission denied"});
  EXPECT_FALSE(chunk->more);
}

TEST(DeltaMailbox, AFloodOfProblemsIsCutOffAndSplit) {
  DeltaMailbox mailbox(never);
  for (uint64_t i = 0; i < 5; ++i) {
    StatusDelta step = delta(i);
    step.problems.assign(300, std::string(3000, 'd') + ": permission denied");
    (void)mailbox.put(std::move(step));
  }
  size_t told = 0;
  size_t chunks = 0;
  for (std::optional<DeltaChunk> chunk; (chunk = mailbox.take()); ++chunks) {
    told += chunk->delta.problems.size();
    EXPECT_LE(chunk->delta.problems.size() * 3000, 512u * 1024);
  }
  EXPECT_EQ(told, 1000u);
  EXPECT_GT(chunks, 5u);
}

TEST(DeltaMailbox, AMessageThatIsAWholeLogIsCutOff) {
  DeltaMailbox mailbox(never);
  StatusDelta first = delta(0);
  first.state.emplace().message = std::string(5 << 20, 'x');
  first.problems = {std::string(5 << 20, 'y')};
  ASSERT_TRUE(mailbox.put(std::move(first)));
  std::optional<DeltaChunk> chunk = mailbox.take();
  ASSERT_TRUE(chunk);
  EXPECT_LT(chunk->delta.state->message.size(), 10'000u);
  ASSERT_EQ(chunk->delta.problems.size(), 1u);
  EXPECT_LT(chunk->delta.problems[0].size(), 10'000u);
}

// The length of a path in JSON.stringify's output. An invalid byte and a control character take six
// bytes each.
size_t json_length(const std::string& path) {
  size_t length = 2;
  for (const char c : path) length += (c & 0x80) != 0 || static_cast<uint8_t>(c) < 0x20 ? 6 : 1;
  return length;
}

TEST(DeltaMailbox, NoChunkIsLongerThanAMessageMayBe) {
  for (const char filler : {'a', '\xff', '\x01'}) {
    DeltaMailbox mailbox(never);
    StatusDelta first = delta(0);
    for (int i = 0; i < 1000; ++i) {
      first.untracked.push_back(std::string(4000, filler) + std::to_string(i));
      ChangedEntry renamed = changed(std::string(4000, filler) + std::to_string(i));
      renamed.from = std::string(4000, filler);
      first.changed.push_back(std::move(renamed));
    }
    ASSERT_TRUE(mailbox.put(std::move(first)));
    size_t rows = 0;
    for (std::optional<DeltaChunk> chunk; (chunk = mailbox.take());) {
      size_t length = 0;
      for (const std::string& path : chunk->delta.untracked) length += json_length(path) + 100;
      for (const ChangedEntry& entry : chunk->delta.changed) {
        length += json_length(entry.path) + json_length(entry.from) + 100;
      }
      rows += chunk->delta.untracked.size() + chunk->delta.changed.size();
      EXPECT_LE(length, 512u * 1024);
    }
    EXPECT_EQ(rows, 2000u);
  }
}

// The newer state replaces the superseded rows of the first delta. It is sent after them.
TEST(DeltaMailbox, NoRowIsToldOlderThanItIs) {
  DeltaMailbox mailbox({.entries = 2, .bytes = 1 << 20}, never);
  StatusDelta first = delta(0);
  for (char c = 'a'; c <= 'h'; ++c) first.changed.push_back(changed(std::string(1, c)));
  ASSERT_TRUE(mailbox.put(std::move(first)));
  std::optional<DeltaChunk> chunk = mailbox.take();  // a, b
  ASSERT_TRUE(chunk && chunk->more);
  StatusDelta second = delta(1);
  second.changed = {changed("a", Change::kDeleted), changed("d", Change::kDeleted)};
  second.removed = {"e"};
  ASSERT_FALSE(mailbox.put(std::move(second)));
  StatusDelta third = delta(2);
  third.changed = {changed("d", Change::kTypeChanged)};
  ASSERT_FALSE(mailbox.put(std::move(third)));

  std::vector<std::string> told;
  while ((chunk = mailbox.take())) {
    for (const std::string& path : chunk->delta.removed) told.push_back("-" + path);
    for (const ChangedEntry& entry : chunk->delta.changed) {
      told.push_back(static_cast<char>(entry.worktree) + entry.path);
    }
  }
  EXPECT_EQ(told, (std::vector<std::string>{"Mc", "Mf", "Mg", "Mh", "Da", "Td", "-e"}));
}

// A receiver takes nothing while names come and go endlessly.
TEST(DeltaMailbox, WhatWaitsIsBoundedAndThenReplayed) {
  constexpr size_t kNewer = 1000;
  int replays_asked = 0;
  DeltaMailbox mailbox({.newer = kNewer}, [&] { ++replays_asked; });
  StatusDelta first = delta(0);
  for (int i = 0; i < 500; ++i) first.untracked.push_back("first" + std::to_string(i));
  ASSERT_TRUE(mailbox.put(std::move(first)));
  size_t most = 0;
  for (uint64_t i = 1; i < 100'000; ++i) {
    StatusDelta step = delta(i);
    const std::string name = "passing" + std::to_string(i / 2);
    (i % 2 == 0 ? step.untracked : step.removed_untracked).push_back(name);
    step.content_changed = i == 5;
    EXPECT_FALSE(mailbox.put(std::move(step)));
    most = std::max(most, mailbox.waiting());
  }
  EXPECT_LE(most, 500 + kNewer + 1);
  EXPECT_EQ(mailbox.waiting(), 0u) << "all of it is dropped";
  EXPECT_EQ(replays_asked, 0) << "until somebody listens again";

  EXPECT_FALSE(mailbox.take());
  EXPECT_FALSE(mailbox.take());
  EXPECT_EQ(replays_asked, 1);
  StatusDelta before = delta(100'000);
  before.untracked = {"before the replay"};
  EXPECT_FALSE(mailbox.put(std::move(before))) << "there is nothing to take before the replay";
  EXPECT_FALSE(mailbox.take());
  EXPECT_EQ(replays_asked, 1);

  StatusDelta replay = delta(0);
  replay.version = 100'001;
  replay.untracked = {"whole"};
  EXPECT_TRUE(mailbox.put(std::move(replay)));
  std::optional<DeltaChunk> chunk = mailbox.take();
  ASSERT_TRUE(chunk);
  EXPECT_EQ(chunk->delta.base_version, 0u);
  EXPECT_EQ(chunk->delta.untracked, std::vector<std::string>{"whole"});
  EXPECT_TRUE(chunk->delta.content_changed) << "a flag outlives what was dropped";
  EXPECT_FALSE(chunk->more);
}

// A receiver that takes at random moments ends with the sender's state.
TEST(DeltaMailbox, LaggingReceiverConverges) {
  std::mt19937 random(11);
  int replays = 0;
  for (int round = 0; round < 200; ++round) {
    Receiver sender;
    Receiver receiver;
    bool replay_asked = false;
    DeltaMailbox mailbox({.entries = 1 + random() % 4, .bytes = 1 << 20, .newer = 4},
                         [&] { replay_asked = true; });
    for (int step = 0; step < 60; ++step) {
      DeltaChunk next;
      next.delta = delta(sender.version);
      if (random() % 20 == 0) next.delta.base_version = 0;
      if (std::exchange(replay_asked, false)) {
        (void)mailbox.put(sender.whole());
        ++replays;
      }
      std::set<std::string> touched;
      for (size_t i = random() % 6; i > 0; --i) {
        const std::string path(1, static_cast<char>('a' + random() % 8));
        if (!touched.insert(path).second) continue;
        switch (random() % 4) {
          case 0:
            next.delta.removed.push_back(path);
            break;
          case 1:
            next.delta.removed_untracked.push_back(path);
            break;
          case 2:
            next.delta.untracked.push_back(path);
            break;
          default:
            next.delta.changed.push_back(
                changed(path, random() % 2 ? Change::kModified : Change::kDeleted));
        }
      }
      next.delta.version = sender.version + 1;
      sender.fold(next);
      (void)mailbox.put(std::move(next.delta));
      for (size_t i = random() % 3; i > 0; --i) {
        if (std::optional<DeltaChunk> chunk = mailbox.take()) receiver.fold(*chunk);
      }
    }
    for (int last = 0; last < 2; ++last) {
      while (std::optional<DeltaChunk> chunk = mailbox.take()) receiver.fold(*chunk);
      if (replay_asked) (void)mailbox.put(sender.whole());
    }
    ASSERT_EQ(receiver.tracked, sender.tracked);
    ASSERT_EQ(receiver.untracked, sender.untracked);
  }
  EXPECT_GT(replays, 0);
}

TEST(DeltaMailbox, TwoThreads) {
  DeltaMailbox mailbox(never);
  constexpr uint64_t kSteps = 5000;
  std::thread model([&] {
    for (uint64_t i = 0; i < kSteps; ++i) {
      StatusDelta step = delta(i);
      step.untracked = {std::to_string(i)};
      (void)mailbox.put(std::move(step));
    }
  });
  Receiver receiver;
  while (receiver.untracked.size() < kSteps) {
    if (std::optional<DeltaChunk> chunk = mailbox.take()) {
      receiver.fold(*chunk);
    } else {
      std::this_thread::yield();
    }
  }
  model.join();
}

}  // namespace
}  // namespace resident
