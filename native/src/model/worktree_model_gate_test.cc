// With a gate, a question without changes makes no file system call. The next answer includes every
// change around the worktree.
#include <fstream>

#include "model/model_test_support.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

class ModelGateTest : public ModelTest {
 protected:
  void SetUp() override {
    // A device is never covered by the gate, so use a regular file.
    environment_.set("GIT_CONFIG_GLOBAL", repo_.path("user-config"));
    repo_.set_environment("GIT_CONFIG_GLOBAL", repo_.path("user-config"));
    old_file("f", "1");
    old_file("d/g", "1");
    old_file("d/h.o", "1");
    repo_.git({"add", "f", "d/g"});
    repo_.git({"commit", "-q", "-m", "all"});
    start_gated();
    settle();
  }

  // Makes files that were just written count as settled.
  void settle() {
    fs_.run_ahead(100);
    for (int i = 0; i < 3; ++i) update();
    take();
  }

  uint64_t calls_of_a_question() {
    fs_.calls().reset();
    EXPECT_TRUE(model_->answer(query(UntrackedMode::kNormal, IgnoredMode::kNo)).ok());
    return fs_.calls().total();
  }

  // The next answer includes `change`. After that, questions cost nothing again.
  template <typename Change>
  void expect_seen(const char* what, Change&& change) {
    SCOPED_TRACE(what);
    EXPECT_EQ(calls_of_a_question(), 0u) << "before";
    change();
    expect_as_git();
    settle();
    EXPECT_EQ(calls_of_a_question(), 0u) << "afterwards";
  }
};

TEST_F(ModelGateTest, NothingChanged) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(calls_of_a_question(), 0u);
  EXPECT_TRUE(model_->update().ok());
  fs_.calls().reset();
  EXPECT_TRUE(model_->answer_if_no_warnings(query(UntrackedMode::kNormal, IgnoredMode::kNo)).ok());
  EXPECT_TRUE(model_->answer_if_no_warnings(query(UntrackedMode::kAll, IgnoredMode::kNo)).ok());
  fs_.calls().reset();
  EXPECT_TRUE(model_->answer_if_no_warnings(query(UntrackedMode::kAll, IgnoredMode::kNo)).ok());
  EXPECT_EQ(fs_.calls().total(), 0u);
}

// An edit costs only the check of the edited file.
TEST_F(ModelGateTest, AnEdit) {
  repo_.write("d/g", "22");
  EXPECT_LE(calls_of_a_question(), 4u);
  expect_as_git();
}

TEST_F(ModelGateTest, IndexAndHead) {
  expect_seen("add", [&] {
    repo_.write("f", "22");
    repo_.git({"add", "f"});
  });
  expect_seen("commit", [&] { repo_.git({"commit", "-q", "-m", "2"}); });
  expect_seen("a branch in a directory", [&] { repo_.git({"checkout", "-q", "-b", "a/b/c"}); });
  expect_seen("commit on it", [&] { repo_.git({"commit", "-q", "--allow-empty", "-m", "3"}); });
  expect_seen("packed refs", [&] { repo_.git({"pack-refs", "--all", "--prune"}); });
  expect_seen("reset of a packed ref", [&] { repo_.git({"reset", "-q", "--soft", "HEAD~1"}); });
  expect_seen("back", [&] { repo_.git({"checkout", "-q", "main"}); });
  expect_seen("repack", [&] { repo_.git({"repack", "-adq"}); });
  expect_seen("detached", [&] { repo_.git({"checkout", "-q", "--detach"}); });
}

// HEAD leads to one branch when it is read, and to another when it is recorded. It stays there.
TEST_F(ModelGateTest, HeadThatMovesBetweenItsReadingAndItsRecording) {
  repo_.git({"branch", "one"});
  repo_.git({"branch", "two"});
  using Call = testing::CountingFileSystem::Call;
  bool moved = true;
  for (int nth = 1; moved; ++nth) {
    SCOPED_TRACE(nth);
    repo_.git({"symbolic-ref", "HEAD", "refs/heads/main"});
    settle();
    int reads = 0;
    moved = false;
    fs_.set_fault([&](Call call, std::string_view path) -> std::optional<Error> {
      if (!path.ends_with("/.git/HEAD")) return std::nullopt;
      reads += call == Call::kRead;
      if (reads == nth && call == Call::kStat && !std::exchange(moved, true)) {
        repo_.git({"symbolic-ref", "HEAD", "refs/heads/two"});
      }
      return std::nullopt;
    });
    repo_.git({"symbolic-ref", "HEAD", "refs/heads/one"});
    update();
    fs_.set_fault({});
    EXPECT_TRUE(moved || nth > 2);
    settle();
    repo_.git({"commit", "-q", "--allow-empty", "-m", "on another"});
    expect_as_git();
  }
}

TEST_F(ModelGateTest, ConfigAndRules) {
  expect_seen("config", [&] { repo_.git({"config", "core.fileMode", "false"}); });
  expect_seen("info/exclude", [&] { repo_.write(".git/info/exclude", "*.o\n"); });
  expect_seen("an included file", [&] {
    repo_.write(".git/more", "[core]\n\texcludesFile = " + at(".git/rules") + "\n");
    repo_.write(".git/rules", "h.*\n");
    repo_.git({"config", "include.path", "more"});
  });
  expect_seen("in the included file", [&] { repo_.write(".git/more", "[core]\n"); });
  expect_seen("no rules", [&] { stdfs::remove_all(at(".git/info")); });
  expect_seen("rules again", [&] { repo_.write(".git/info/exclude", "d/h*\n"); });
}

TEST_F(ModelGateTest, TheUsersFiles) {
  const std::string home = std::getenv("HOME");
  expect_seen("config", [&] {
    std::ofstream(repo_.path("user-config"), std::ios::app) << "[core]\n\tfileMode = false\n";
  });
  expect_seen("ignore rules where no directory was", [&] {
    const char* xdg = std::getenv("XDG_CONFIG_HOME");
    const std::string directory = (xdg && *xdg ? xdg : home + "/.config") + std::string("/git");
    stdfs::create_directories(directory);
    std::ofstream(directory + "/ignore") << "*.o\n";
  });
}

TEST_F(ModelGateTest, Operations) {
  repo_.git({"checkout", "-q", "-b", "other"});
  repo_.write("f", "other");
  repo_.git({"commit", "-aqm", "other"});
  repo_.git({"checkout", "-q", "main"});
  repo_.write("f", "main");
  repo_.git({"commit", "-aqm", "main"});
  settle();
  expect_seen("merge", [&] { repo_.try_git({"merge", "-q", "other"}); });
  EXPECT_EQ(told_.operation, Operation::kMerge);
  expect_seen("no merge", [&] { repo_.git({"merge", "--abort"}); });
  EXPECT_EQ(told_.operation, Operation::kNone);
  expect_seen("rebase", [&] { repo_.try_git({"rebase", "-q", "other"}); });
  EXPECT_EQ(told_.operation, Operation::kRebase);
  EXPECT_EQ(told_.operation_step, "1/1");
  // Like a command that neither commits nor changes the worktree.
  expect_seen("next step", [&] {
    std::ofstream(at(".git/rebase-merge/end")) << "2\n";
    std::ofstream(at(".git/rebase-merge/msgnum")) << "2\n";
  });
  EXPECT_EQ(told_.operation_step, "2/2");
  expect_seen("no rebase", [&] { repo_.git({"rebase", "--abort"}); });
  EXPECT_EQ(told_.operation, Operation::kNone);
  EXPECT_EQ(told_.operation_step, "");
}

TEST_F(ModelGateTest, TheGitDirectoryIsAnother) {
  stdfs::copy(at(".git"), repo_.path("copy"), stdfs::copy_options::recursive);
  repo_.write("f", "22");
  repo_.git({"commit", "-aqm", "2"});
  settle();
  EXPECT_EQ(calls_of_a_question(), 0u);
  stdfs::rename(at(".git"), repo_.path("aside"));
  stdfs::rename(repo_.path("copy"), at(".git"));
  expect_as_git();
}

TEST_F(ModelGateTest, TheWorktreeIsMovedAway) {
  EXPECT_EQ(calls_of_a_question(), 0u);
  stdfs::rename(at(""), repo_.path("away"));
  EXPECT_FALSE(model_->update().ok());
  EXPECT_TRUE(model_->freshness().gone());
  stdfs::rename(repo_.path("away"), at(""));
}

// If there are many branches, only the files of the current branch stay watched.
TEST_F(ModelGateTest, WhatCountsNoLongerIsLetGo) {
  repo_.git({"checkout", "-q", "-b", "topic/one"});
  settle();
  repo_.git({"checkout", "-q", "main"});
  settle();
  EXPECT_EQ(calls_of_a_question(), 0u);
  repo_.write(".git/refs/heads/topic/two", repo_.git({"rev-parse", "HEAD"}));
  EXPECT_EQ(calls_of_a_question(), 0u);
  expect_as_git();
}

}  // namespace
}  // namespace resident
