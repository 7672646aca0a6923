#include "cli/watch_lines.h"

#include <gtest/gtest.h>

#include "cli/text_columns.h"

namespace resident {
namespace {

using namespace std::chrono_literals;

const auto kEventRead = std::chrono::steady_clock::time_point{} + 1h;

// Without escape sequences of colours.
std::string plain(std::string_view line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\033') {
      i = line.find('m', i);
    } else {
      text += line[i];
    }
  }
  return text;
}

class WatchLinesTest : public ::testing::Test {
 protected:
  WatchLinesTest() {
    ModelState& state = first_.state.emplace();
    state.kind = ModelState::Kind::kWatching;
    state.directories = 12;
    BranchStatus& branch = first_.branch.emplace();
    branch.name = "main";
  }

  void row(const std::string& path, Change index, Change worktree) {
    ChangedEntry& entry = first_.changed.emplace_back();
    entry.path = path;
    entry.index = index;
    entry.worktree = worktree;
  }
  void untracked(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      first_.untracked.push_back("u" + std::to_string(1000 + i));
    }
  }
  // After the first step: one that an event began.
  void change(const std::string& path) {
    StatusDelta delta;
    delta.base_version = 1;
    delta.untracked = {path};
    delta.since = kEventRead;
    later_.push_back(std::move(delta));
  }

  std::string drawn(WatchSize size, size_t top = 0) {
    WatchState state;
    state.apply({first_, false}, kEventRead, "12:00:00");
    for (const StatusDelta& delta : later_)
      state.apply({delta, false}, kEventRead + 1500us, "12:00:01");
    result_ = watch_lines(state, size, look_, top);
    EXPECT_LE(result_.lines.size(), size.rows);
    std::string text;
    for (const std::string& line : result_.lines) {
      EXPECT_LE(columns_of(plain(line)), size.columns) << line;
      text += line + "\n";
    }
    return look_.colored ? text : plain(text);
  }

  StatusDelta first_;
  std::vector<StatusDelta> later_;
  WatchLook look_{.colored = false};
  WatchLines result_;
};

TEST_F(WatchLinesTest, ShowsGroupsAndChanges) {
  row("both", Change::kModified, Change::kDeleted);
  row("renamed", Change::kRenamed, Change::kNone);
  first_.changed.back().from = "old name";
  UnmergedEntry& conflict = first_.unmerged.emplace_back();
  conflict.path = "conflict";
  conflict.stages[1].mode = conflict.stages[2].mode = 0100644;
  first_.branch->has_upstream = first_.branch->counted = true;
  first_.branch->upstream = "origin/main";
  first_.branch->ahead = 1;
  first_.branch->behind = 2;
  first_.operation = Operation::kRebase;
  first_.operation_step = "2/5";
  change("new");
  EXPECT_EQ(drawn({24, 80}),
            "main...origin/main [ahead 1, behind 2]  rebasing 2/5\n"
            "watching 12 directories\n"
            "1 conflict, 2 staged, 1 changed, 1 untracked\n"
            "\n"
            "Merge conflicts (1)\n"
            "  AA conflict\n"
            "Staged changes (2)\n"
            "  M  both\n"
            "  R  old name -> renamed\n"
            "Changes (1)\n"
            "  D  both\n"
            "Untracked files (1)\n"
            "  ?  new\n"
            "\n\n\n\n\n\n\n"
            "\n"
            "Last changes\n"
            "  12:00:01     1.50 ms  ?  new\n"
            "q: quit, arrows and PgUp/PgDn: scroll\n");
}

TEST_F(WatchLinesTest, SmallScreensLeaveOutWhatMattersLess) {
  row("a", Change::kNone, Change::kModified);
  untracked(2);
  change("v");
  EXPECT_EQ(drawn({1, 40}), "main\n");
  EXPECT_EQ(drawn({2, 40}), "main\n1 changed, 3 untracked\n");
  EXPECT_EQ(drawn({3, 40}), "main\n1 changed, 3 untracked\n… and 4 more\n");
  EXPECT_EQ(drawn({5, 20}), "main\n1 changed, 3 untrac…\nChanges (1)\n  M  a\n… and 3 more\n");
  EXPECT_EQ(drawn({8, 40}),
            "main\n1 changed, 3 untracked\nChanges (1)\n  M  a\nUntracked files (3)\n  ?  u1000\n"
            "… and 2 more\n  12:00:01     1.50 ms  ?  v\n");
}

TEST_F(WatchLinesTest, SaysSoWhereNothingChanged) {
  EXPECT_EQ(drawn({3, 80}), "main\nnothing to commit, working tree clean\n");
  first_.state->kind = ModelState::Kind::kScanning;
  first_.state->files_expected = 5;
  EXPECT_EQ(drawn({3, 80}), "main\nscanning, 0 of 5 files\n\n");
  first_.state->kind = ModelState::Kind::kFailed;
  first_.state->message = "a\033[2J\nb";
  EXPECT_EQ(drawn({3, 80}), "main\nfailed: a\\033[2J\\nb\n\n");
}

TEST_F(WatchLinesTest, WhereHeadIs) {
  first_.branch->initial = true;
  EXPECT_EQ(drawn({1, 80}), "main (no commits yet)\n");
  first_.branch->initial = false;
  first_.branch->has_upstream = true;
  first_.branch->upstream = "o/m";
  EXPECT_EQ(drawn({1, 80}), "main...o/m [ahead ?, behind ?]\n");
  first_.branch->upstream_gone = true;
  EXPECT_EQ(drawn({1, 80}), "main...o/m [gone]\n");
  first_.branch->upstream_gone = false;
  first_.branch->counted = true;
  EXPECT_EQ(drawn({1, 80}), "main...o/m\n");
  first_.branch->behind = 3;
  EXPECT_EQ(drawn({1, 80}), "main...o/m [behind 3]\n");
  first_.branch->name = "漢字\xff";
  EXPECT_EQ(drawn({1, 10}), "漢字\\377.…\n");
  first_.branch.reset();
  EXPECT_EQ(drawn({1, 80}), "\n");
}

TEST_F(WatchLinesTest, LongListsAreCountedAndScrolled) {
  untracked(100);
  const std::string head = "main\n100 untracked\n";
  EXPECT_EQ(drawn({6, 40}),
            head + "Untracked files (100)\n  ?  u1000\n  ?  u1001\n… and 98 more\n");
  EXPECT_EQ(result_.page, 2u);
  EXPECT_EQ(drawn({6, 40}, 1), head + "… 1 above\n  ?  u1001\n  ?  u1002\n… and 97 more\n");
  EXPECT_EQ(result_.top, 1u);
  EXPECT_EQ(drawn({6, 40}, 50), head + "… 50 above\n  ?  u1050\n  ?  u1051\n… and 48 more\n");
  // No further than to the end.
  EXPECT_EQ(drawn({6, 40}, 1000), head + "… 97 above\n  ?  u1097\n  ?  u1098\n  ?  u1099\n");
  EXPECT_EQ(result_.top, 97u);
}

// Whatever the size and the place in the list: what is shown, above and below makes up all.
TEST_F(WatchLinesTest, CountsWhatIsNotShown) {
  row("a", Change::kModified, Change::kModified);
  row("b", Change::kNone, Change::kModified);
  untracked(7);
  constexpr size_t kAll = 10;  // rows of all groups
  for (size_t rows = 4; rows < 20; ++rows) {
    for (size_t top = 0; top < 15; ++top) {
      const std::string text = drawn({rows, 40}, top);
      size_t shown = 0;
      size_t hidden = 0;
      for (const std::string& line : result_.lines) {
        shown += line.starts_with("  ") && line[2] != ' ' && !line.starts_with("  1");
        size_t number = 0;
        if (std::sscanf(line.c_str(), "… %zu above", &number) == 1) hidden += number;
        if (std::sscanf(line.c_str(), "… and %zu more", &number) == 1) hidden += number;
      }
      EXPECT_EQ(shown + hidden, kAll) << rows << " " << top << "\n" << text;
    }
  }
}

TEST_F(WatchLinesTest, PathsAreCutAtTheirFront) {
  row("some/directory/of/a/file.txt", Change::kModified, Change::kNone);
  row("漢/字.txt", Change::kNone, Change::kModified);
  row("\033[2J\n", Change::kNone, Change::kModified);
  EXPECT_EQ(drawn({9, 15}),
            "main\n1 staged, 2 ch…\nStaged changes…\n  M  …/file.txt\nChanges (2)\n"
            "  M  …033[2J\\n\"\n  M  漢/字.txt\n");
  look_.quote_high_bytes = true;
  EXPECT_NE(drawn({9, 60}).find("\"\\346\\274\\242/\\345\\255\\227.txt\""), std::string::npos);
}

TEST_F(WatchLinesTest, HasTheColoursOfGit) {
  look_.colored = true;
  look_.palette.updated = "\033[35m";
  look_.palette.untracked = "";
  row("a", Change::kModified, Change::kDeleted);
  untracked(1);
  EXPECT_EQ(drawn({9, 40}),
            "\033[32mmain\033[m\n1 staged, 1 changed, 1 untracked\n"
            "\033[1mStaged changes\033[m\033[2m (1)\033[m\n  \033[35mM\033[m  \033[35ma\033[m\n"
            "\033[1mChanges\033[m\033[2m (1)\033[m\n  \033[31mD\033[m  \033[31ma\033[m\n"
            "\033[1mUntracked files\033[m\033[2m (1)\033[m\n  ?  u1000\n");
}

TEST_F(WatchLinesTest, AnySizeIsKeptTo) {
  row("漢字/漢字漢字", Change::kModified, Change::kDeleted);
  untracked(30);
  first_.branch->name = std::string(200, 'b');
  first_.problems = {std::string(300, '\n')};
  for (int i = 0; i < 10; ++i) change("c" + std::to_string(i));
  for (size_t rows = 1; rows < 40; ++rows) {
    for (size_t columns = 1; columns < 60; ++columns) drawn({rows, columns}, columns);
  }
}

}  // namespace
}  // namespace resident
