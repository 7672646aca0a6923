// No call waits for git: the config and filters. Rows that need its answer stay unchanged, and all
// other work continues. The test decides when git answers.
#include <gtest/gtest.h>

#include "model/pending_model_test_support.h"

namespace resident {
namespace {

TEST_F(ModelPendingTest, TheFirstScanWaitsForTheConfigAndNothingElseIsKnown) {
  start_gated();
  EXPECT_EQ(model_->state().kind, ModelState::Kind::kScanning);
  EXPECT_EQ(now(), "pending");
  answer_all();
  EXPECT_EQ(model_->state().kind, ModelState::Kind::kWatching);
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, AConfigThatWasWrittenWhileGitReadItIsReadAgainUnasked) {
  start_gated();
  ASSERT_EQ(runner_->waiting(), 1u);
  repo_.git({"config", "core.fileMode", "false"});
  EXPECT_EQ(runner_->answer_all(), 1u);
  update();
  EXPECT_TRUE(model_->due());
  EXPECT_EQ(runner_->waiting(), 0u);
  EXPECT_EQ(now(), "pending") << "who asks does not wait for that";
  while (now() == "pending") runner_->answer_all();
  EXPECT_FALSE(model_->due());
}

TEST_F(ModelPendingTest, AConfigOfAnotherBranchDoesNotStayWhereHeadCameBackBeforeItWasKnown) {
  testing::write_whole_file(repo_.path("of-main"), "[core]\nfileMode = false\n");
  const std::string branch = repo_.git_line({"branch", "--show-current"});
  repo_.git({"config", "includeIf.onbranch:" + branch + ".path", repo_.path("of-main")});
  ASSERT_EQ(::chmod(at("plain").c_str(), 0755), 0);
  start_answered();
  repo_.git({"checkout", "-q", "--detach"});
  update();
  ASSERT_EQ(runner_->answer_all(), 1u);
  repo_.git({"checkout", "-q", branch});
  update();
  EXPECT_EQ(at_last(), "");
}

TEST_F(ModelPendingTest, AConfigOnlyForGitThatWasWrittenWhileGitReadItIsReadAgain) {
  repo_.write("u", "");
  repo_.write("../rules", "");
  start_answered();
  repo_.git({"config", "attr.tree", "HEAD"});
  update();
  ASSERT_EQ(runner_->waiting(), 1u);
  runner_->answer();
  repo_.git({"config", "core.excludesFile", "../rules"});
  answer_all();
  ASSERT_TRUE(model_->is_delegated());
  // Repeat until git's answers are kept.
  for (size_t before = 0; before != runner_->started();) {
    before = runner_->started();
    EXPECT_EQ(at_last(), "u ");
  }
  repo_.write("../rules", "u\n");
  EXPECT_EQ(at_last(), "");
}

TEST_F(ModelPendingTest, AFilterIsAskedOnceForAllItsFilesAndOthersGoOn) {
  commit_filtered();
  start_answered();
  ASSERT_EQ(runner_->waiting(), 0u);
  repo_.write("f1", "abc");
  repo_.write("f2", "xyz");
  update();
  EXPECT_EQ(runner_->waiting(), 1u);
  EXPECT_EQ(model_->awaited()->subject.name, "filter up");
  EXPECT_EQ(now(), "pending");
  EXPECT_EQ(now(of_paths({"plain"})), "");
  repo_.write("plain", "2");
  repo_.write("new", "2");
  EXPECT_EQ(now(of_paths({"plain", "new"})), "plain new ");
  take();
  EXPECT_EQ(told_.tracked.size(), 1u);
  EXPECT_EQ(told_.untracked.size(), 1u);
  expect_as_git_at_last();
  EXPECT_TRUE(told_.tracked.contains("f2"));
  EXPECT_FALSE(told_.tracked.contains("f1"));
}

TEST_F(ModelPendingTest, ARowStaysUntilItsFilterHasAnswered) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "xyz");
  expect_as_git_at_last();
  ASSERT_TRUE(told_.tracked.contains("f1"));
  repo_.write("f1", "abc");
  update();
  take();
  EXPECT_TRUE(told_.tracked.contains("f1"));
  expect_as_git_at_last();
  EXPECT_FALSE(told_.tracked.contains("f1"));
}

TEST_F(ModelPendingTest, WhatIsWrittenWhileItsFilterIsAskedIsAskedAgain) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "xyz");
  update();
  ASSERT_EQ(runner_->waiting(), 1u);
  // git's answer is about the file's old content. The second write is not applied yet.
  runner_->answer();
  repo_.write("f1", "abc");
  update();
  EXPECT_EQ(now(), "pending");
  expect_as_git_at_last();
  EXPECT_FALSE(told_.tracked.contains("f1"));
}

TEST_F(ModelPendingTest, AFileThatIsKnownWithoutItsFilterWaitsForNothing) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "xyz");
  update();
  ASSERT_EQ(runner_->waiting(), 1u);
  std::filesystem::remove(at("f1"));
  EXPECT_EQ(now(), "f1 ");
  repo_.write("f2", "xyz");
  update();
  repo_.write("f2", "of another size");
  EXPECT_EQ(now(), "f1 f2 ");
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, AnotherIndexWhileAFilterIsAsked) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "xyz");
  repo_.write("f2", "xyz");
  update();
  take();
  // The first answer is about the old index.
  runner_->answer();
  repo_.git({"add", "f1"});
  repo_.git({"rm", "-q", "--cached", "f2"});
  update();
  take();
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, OtherAttributesWhileAFilterIsAsked) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "abc");
  update();
  ASSERT_EQ(runner_->waiting(), 1u);
  repo_.write(".gitattributes", "");
  EXPECT_EQ(now(of_paths({"f1"})), "f1 ");
  EXPECT_EQ(runner_->cancelled(), 1u);
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, AttributesThatAFilterMakesAreNoNewsOnceItHasAnswered) {
  repo_.git({"config", "filter.up.clean", "cat"});
  old_file(".gitattributes", "* filter=up\n#1\n");
  old_file("f1", "ABC");
  commit_all();
  start_answered();
  // The size stays the same, so only content shows the change.
  repo_.write(".gitattributes", "* filter=up\n#2\n");
  mark(".gitattributes", false);
  repo_.write("f1", "ABD");
  mark("f1", false);
  update();
  int answers = 0;
  for (; answers < 10 && runner_->answer_all() > 0; ++answers) update();
  EXPECT_GE(answers, 1);
  EXPECT_LE(answers, 2);
  EXPECT_FALSE(model_->due());
  expect_as_git_at_last();

  // The attributes change while git is asked about them.
  repo_.write(".gitattributes", "* filter=up\n#3\n");
  mark(".gitattributes", false);
  update();
  repo_.write(".gitattributes", "f* -filter\n");
  answer_all();
  EXPECT_EQ(runner_->waiting(), 0u);
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, ARescanWhileAFilterIsAsked) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "xyz");
  expect_as_git_at_last();
  repo_.write("f1", "abc");
  update();
  EXPECT_TRUE(model_->scan().ok());
  take();
  EXPECT_TRUE(told_.tracked.contains("f1")) << "as it was";
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, WhatTheSweepFindsIsAsked) {
  commit_filtered();
  open_model(&fake_);
  (void)model_->scan();
  answer_all();
  ASSERT_EQ(runner_->waiting(), 0u);
  repo_.write("f1", "xyz");
  while (!model_->sweep(1000)) {
  }
  EXPECT_EQ(runner_->waiting(), 1u);
  answer_all();
  EXPECT_TRUE(told_.tracked.contains("f1"));
}

TEST_F(ModelPendingTest, AFilterThatFailsIsFoundAmongMany) {
  commit_filtered();
  repo_.git({"config", "filter.up.required", "true"});
  repo_.git({"config", "filter.up.clean",
             "f=$(cat); test \"$f\" != bad && printf %s \"$f\" | tr a-z A-Z"});
  start_answered();
  repo_.write("f1", "abc");
  repo_.write("f2", "bad");
  EXPECT_EQ(at_last(of_paths({"f1"})), "");
  EXPECT_EQ(at_last(of_paths({"plain"})), "");
  EXPECT_EQ(at_last(), "error");
}

}  // namespace
}  // namespace resident
