// Counts the work of the model. Without a change it does no work, and a larger worktree needs no
// more work.

#include "git/git_program.h"
#include "model/model_test_support.h"

namespace resident {
namespace {

class ModelWorkTest : public ModelTest {
 protected:
  // `files` tracked files in ten directories, none of them racily clean. All files around the
  // worktree are settled.
  void build(int files) {
    for (int i = 0; i < files; ++i) old_file(file(i), std::to_string(i));
    commit_all();
    start();
    fs_.run_ahead(100);
    update();
    update();
    take();
  }
  static std::string file(int i) { return "d" + std::to_string(i % 10) + "/f" + std::to_string(i); }

  struct Cost {
    uint64_t lstats;
    uint64_t contents_read;
    uint64_t directories;
    uint64_t calls;  // all file system calls
    friend bool operator==(const Cost&, const Cost&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Cost& cost) {
      return out << cost.lstats << " lstats, " << cost.contents_read << " reads, "
                 << cost.directories << " directories, " << cost.calls << " calls";
    }
  };
  template <typename Step>
  Cost cost(Step&& step) {
    const WorktreeTree::Work before = model_->freshness().tree().work;
    fs_.calls().reset();
    step();
    const WorktreeTree::Work& after = model_->freshness().tree().work;
    return {after.lstats - before.lstats, after.contents_read - before.contents_read,
            after.directories - before.directories, fs_.calls().total()};
  }
};

class ModelWorkBySizeTest : public ModelWorkTest, public ::testing::WithParamInterface<int> {};

TEST_P(ModelWorkBySizeTest, AQuestionWithoutAChangeLooksAtNoFile) {
  build(GetParam());
  const Cost idle = cost([&] { EXPECT_EQ(lines().size(), 1u); });
  EXPECT_EQ(idle.lstats, 0u);
  EXPECT_EQ(idle.contents_read, 0u);
  EXPECT_EQ(idle.directories, 0u);
  EXPECT_EQ(fs_.calls().stat_at, 0u);
  EXPECT_EQ(fs_.calls().open, 0u);
  EXPECT_EQ(fs_.calls().list, 0u);
  EXPECT_EQ(fs_.calls().read_file, 0u);
  // Stat of the files around the worktree, and of the places where PATH may lead to git. Their
  // number does not depend on the worktree's size.
  RecordProperty("stats", static_cast<int>(idle.calls));
  EXPECT_LT(idle.calls, 60u + git_program_places().size());
  EXPECT_EQ(idle, cost([&] { (void)lines(); }));
}

// Attributes in directories outside the index change without an event.
TEST_F(ModelWorkTest, ARemovedTreeOfWhichSomethingMayBeARenameCostsOneLook) {
  const std::string text = "one\ntwo\nthree\nfour\nfive\n";
  for (int i = 0; i < 50; ++i) old_file("deep/d" + std::to_string(i) + "/f", text);
  build(10);
  const Cost before = cost([&] { (void)lines(); });
  repo_.git({"rm", "-q", "-r", "deep"});
  mark("deep", false);
  old_file("new", text + "six\n");
  mark("new", true);
  repo_.git({"add", "new"});
  fs_.run_ahead(100);
  update();
  update();
  EXPECT_EQ(lines().size(), 51u);
  const Cost after = cost([&] { (void)lines(); });
  EXPECT_EQ(after.calls, before.calls + 1);
}

TEST_P(ModelWorkBySizeTest, APathspecCostsNoMoreThanTheWholeQuestion) {
  build(GetParam());
  mkdir("new");
  update();
  mkdir("new/a");
  update();
  write("new/a/b.c", "1");
  write(file(7), "a save");
  update();
  update();
  const Cost idle = cost([&] { (void)lines(); });
  StatusQuery query;
  query.pathspec = std::make_shared<const Pathspec>(*Pathspec::parse(
      std::vector<std::string>{"d7", "new/a/", "new/*.c", ":!d7/f17"}, PathspecOptions{}));
  const Cost limited = cost([&] {
    auto status = model_->answer(query);
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(status->changed.size(), 1u);
    EXPECT_EQ(status->untracked, std::vector<std::string>{"new/a/"});
  });
  EXPECT_LE(limited.calls, idle.calls);
  EXPECT_EQ(limited.lstats, 0u);
  EXPECT_EQ(limited.contents_read, 0u);
  EXPECT_EQ(limited.directories, 0u);
}

TEST_P(ModelWorkBySizeTest, OnFanotifyNothingIsPolledAndOneSaveCostsOneLstat) {
  build(GetParam());
  if (!start_on_fanotify()) GTEST_SKIP() << "fanotify does not watch here";
  update();
  EXPECT_FALSE(model_->freshness().tree().polls());
  const Cost idle = cost([&] { EXPECT_EQ(lines().size(), 1u); });
  EXPECT_EQ(idle.lstats, 0u);
  EXPECT_EQ(idle.directories, 0u);
  EXPECT_EQ(fs_.calls().stat_at, 0u);
  repo_.write(file(7), "longer: the size tells");
  const Cost save = cost([&] { EXPECT_EQ(lines().size(), 2u); });
  EXPECT_EQ(save.lstats, 1u);
  EXPECT_EQ(save.directories, 0u);
  EXPECT_EQ(save.calls, idle.calls + 1);
}

TEST_P(ModelWorkBySizeTest, OneSaveCostsOneLstatAndOneRead) {
  build(GetParam());
  const Cost idle = cost([&] { (void)lines(); });
  // The size stays the same, so only the content shows the change.
  write(file(7), "x");
  const Cost save = cost([&] { EXPECT_EQ(lines().size(), 2u); });
  EXPECT_EQ(save.lstats, 1u);
  EXPECT_EQ(save.contents_read, 1u);
  EXPECT_EQ(save.directories, 0u);
  // Beyond the idle question: lstat, one read, and the two attributes files that decide how the
  // file is read.
  EXPECT_LE(save.calls, idle.calls + 2 + 2);
  const auto deltas = take();
  ASSERT_EQ(deltas.size(), 1u);
  EXPECT_EQ(deltas[0].changed.size(), 1u);
  EXPECT_TRUE(deltas[0].removed.empty());

  write(file(7), "longer: the size tells");
  const Cost longer = cost([&] { (void)lines(); });
  EXPECT_EQ(longer.lstats, 1u);
  EXPECT_EQ(longer.contents_read, 0u);
  EXPECT_EQ(longer.calls, idle.calls + 1);
}

TEST_P(ModelWorkBySizeTest, ANewUntrackedFileCostsOneLstat) {
  build(GetParam());
  const Cost idle = cost([&] { update(); });
  write("d3/new", "1");
  const Cost made = cost([&] { update(); });
  EXPECT_EQ(made.lstats, 1u);
  EXPECT_EQ(made.calls, idle.calls + 1);
}

TEST_P(ModelWorkBySizeTest, AddAndCommitLookOnlyAtWhatDiffers) {
  build(GetParam());
  // Not racily clean, in whichever second git writes its index.
  old_file(file(7), "other");
  old_file("d3/new", "1");
  update();
  repo_.git({"add", "-A"});
  const Cost add = cost([&] { EXPECT_EQ(lines().size(), 3u); });
  EXPECT_EQ(add.lstats, 2u);
  EXPECT_EQ(add.directories, 0u);
  repo_.git({"commit", "-q", "-m", "1"});
  const Cost commit = cost([&] { EXPECT_EQ(lines().size(), 1u); });
  EXPECT_EQ(commit.lstats, 0u);
  EXPECT_EQ(commit.contents_read, 0u);
  EXPECT_EQ(commit.directories, 0u);
  expect_as_git();
}

// In a checkout, git writes both the file and the index.
TEST_P(ModelWorkBySizeTest, AFileThatIsWrittenAndAnotherInTheIndexIsLookedAtOnce) {
  build(GetParam());
  write(file(7), "other");
  repo_.git({"add", "-u"});
  const Cost both = cost([&] { EXPECT_EQ(lines().size(), 2u); });
  EXPECT_EQ(both.lstats, 1u);
  EXPECT_EQ(both.directories, 0u);
  expect_as_git();
}

INSTANTIATE_TEST_SUITE_P(Files, ModelWorkBySizeTest, ::testing::Values(10, 1000));

TEST_F(ModelWorkTest, TheScanLooksOnceAtEachFile) {
  for (int i = 0; i < 50; ++i) old_file(file(i), std::to_string(i));
  commit_all();
  count_pack_lists();
  start();
  EXPECT_EQ(model_->freshness().tree().work.lstats, 50u);
  EXPECT_EQ(model_->freshness().tree().work.directories, 11u);
  EXPECT_EQ(model_->freshness().tree().work.contents_read, 0u);
  EXPECT_EQ(fs_.calls().list, 11u + pack_lists_);
}

TEST_F(ModelWorkTest, AScanForAPathspecLooksAtNothingElse) {
  for (int i = 0; i < 50; ++i) old_file(file(i), std::to_string(i));
  old_file("deep/a/f", "f");
  old_file("deep/b/f", "f");
  commit_all();
  for (const char* path : {"d3/f13", "d4/f14", "deep/a/f"}) repo_.write(path, "another");
  std::filesystem::remove_all(at("d5"));
  for (const char* path : {"d3/new", "new/x", "deep/a/new"}) repo_.write(path, "");
  struct {
    std::vector<std::string> arguments;
    uint64_t lstats;
    uint64_t directories;
    std::vector<std::string> paths;
  } const cases[] = {
      {{"d3"}, 5, 2, {"d3/f13", "d3/new"}},
      {{"d3/f13"}, 1, 2, {"d3/f13"}},
      {{"d3/f?3", "d4/f14"}, 5, 3, {"d3/f13", "d4/f14"}},
      {{"d5"}, 0, 1, {"d5/f15", "d5/f25", "d5/f35", "d5/f45", "d5/f5"}},
      {{"deep/a/"}, 1, 3, {"deep/a/f", "deep/a/new"}},
      {{"new"}, 0, 2, {"new/"}},
      {{"new/x"}, 0, 2, {"new/x"}},
      {{":!d*"}, 0, 14, {"new/"}},
  };
  for (const auto& [arguments, lstats, directories, paths] : cases) {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    auto found = discover(repo_.work());
    ASSERT_TRUE(found.ok());
    WorktreeModel::Options options;
    options.pathspec =
        std::make_shared<const Pathspec>(*Pathspec::parse(arguments, PathspecOptions{}));
    WorktreeModel model(fs_, *found, options);
    ASSERT_TRUE(model.scan().ok());
    StatusQuery query;
    query.pathspec = options.pathspec;
    auto status = model.answer(query);
    ASSERT_TRUE(status.ok()) << status.error().message;
    std::vector<std::string> said;
    for (const ChangedEntry& entry : status->changed) said.push_back(entry.path);
    said.insert(said.end(), status->untracked.begin(), status->untracked.end());
    EXPECT_EQ(said, paths);
    EXPECT_EQ(model.freshness().tree().work.lstats, lstats);
    EXPECT_EQ(model.freshness().tree().work.directories, directories);
  }
}

TEST_F(ModelWorkTest, WhatWasReadIsNotReadAgain) {
  for (int i = 0; i < 20; ++i) old_file(file(i), "0");
  commit_all();
  // Stat data differ, content does not. git reads each file, and the model does too, once.
  for (int i = 0; i < 20; ++i) old_file(file(i), "0");
  for (int i = 0; i < 20; ++i) {
    const timespec times[2] = {{1'600'000'000, 0}, {1'600'000'000, 0}};
    ::utimensat(AT_FDCWD, at(file(i)).c_str(), times, 0);
  }
  fs_.run_ahead(100);
  start();
  EXPECT_EQ(model_->freshness().tree().work.contents_read, 20u);
  const Cost idle = cost([&] { (void)lines(); });
  EXPECT_EQ(idle.contents_read, 0u);
  // A new index file with another time causes no read either.
  old_file("new", "1");
  update();
  repo_.git({"add", "new"});
  const Cost add = cost([&] { EXPECT_EQ(lines().size(), 2u); });
  EXPECT_EQ(add.lstats, 1u);
  EXPECT_EQ(add.contents_read, 0u);
  expect_as_git();
}

}  // namespace
}  // namespace resident
