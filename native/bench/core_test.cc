// Each row measures what it claims: on a small worktree, without checking the times.
#include "bench/core.h"

#include <gtest/gtest.h>

#include "bench/json.h"
#include "bench/repository_maker.h"
#include "bench/samples.h"
#include "testing/hermetic_environment.h"
#include "testing/repo_builder.h"

namespace resident::bench {
namespace {

using testing::HermeticEnvironment;
using testing::RepoBuilder;

class CoreTest : public ::testing::Test {
 protected:
  CoreTest() : environment_(files_.root()) {
    EXPECT_TRUE(make_repository(*TreeShape::named("tiny"), files_.path("repo"), 2).ok());
    files_.enter("repo");
  }

  static bool has(const Result<std::string>& said, const std::string& part) {
    EXPECT_TRUE(said.ok()) << said.error().message;
    return said.ok() && said->find(part) != std::string::npos;
  }

  RepoBuilder files_;
  HermeticEnvironment environment_;
};

TEST_F(CoreTest, Load) {
  const auto said = core_load(files_.path("repo/.git/index"), 3);
  EXPECT_TRUE(has(said, "\"entries\":2000,\"directories\":165")) << *said;
}

TEST_F(CoreTest, HeadNeedsOneTreeWhereTheCacheTreeIsWhole) {
  const auto said = core_head(files_.work(), 2);
  EXPECT_TRUE(has(said, "\"treesRead\":1,\"changes\":0")) << *said;
}

TEST_F(CoreTest, ScanLooksAtEachFileOnce) {
  const auto said = core_scan(files_.work(), 2);
  EXPECT_TRUE(has(said, "\"directories\":165,\"lstats\":2000,\"contentsRead\":0,\"changed\":0"))
      << *said;
}

TEST_F(CoreTest, Resident) {
  const auto said = core_resident(files_.work(), 2, 2, 200);
  EXPECT_TRUE(has(said, "\"rescanNs\":[")) << *said;
}

TEST_F(CoreTest, RefsAreFollowedAndPutBack) {
  const std::string before = files_.git({"rev-parse", "HEAD"});
  const auto said = core_refs(files_.work(), 2, 100, 2);
  EXPECT_TRUE(has(said, "\"ns\":[")) << *said;
  EXPECT_EQ(files_.git({"rev-parse", "HEAD"}), before);
}

TEST_F(CoreTest, EditsAreAllSeen) {
  EXPECT_TRUE(has(core_edits(files_.work(), 2, 100, 2), "\"edits\":100"));
  EXPECT_TRUE(floor_edits(files_.work(), 100, 2).ok());
  files_.write("file", "changed");
  files_.git({"add", "file"});
  EXPECT_FALSE(core_edits(files_.work(), 2, 1, 1).ok()) << "there is a change already";
}

TEST_F(CoreTest, AddLeavesTheWorktreeAsItWas) {
  EXPECT_TRUE(has(core_add(files_.work(), 2, 2), "\"floorNs\":["));
  EXPECT_EQ(files_.git({"status", "--porcelain"}), "");
}

TEST_F(CoreTest, CheckoutComesBack) {
  EXPECT_TRUE(has(core_checkout(files_.work(), "other", 2, 1), "\"checkoutNs\":["));
  EXPECT_EQ(files_.git({"symbolic-ref", "HEAD"}), "refs/heads/main\n");
  EXPECT_EQ(files_.git({"status", "--porcelain"}), "");
  EXPECT_FALSE(core_checkout(files_.work(), "nowhere", 2, 1).ok());
}

TEST_F(CoreTest, HistoryIsCountedAsGitDoes) {
  EXPECT_TRUE(has(core_ahead_behind(files_.work(), "other", 1), "\"ahead\":0,\"behind\":1"));
  files_.git({"tag", "-a", "-m", "v", "v1", "other~1"});
  files_.git({"commit", "-q", "--allow-empty", "-m", "one more"});
  EXPECT_TRUE(has(core_describe(files_.work(), 1), "\"tag\":\"v1\",\"depth\":1"));
  const std::string id = files_.git_line({"rev-parse", "HEAD"});
  const std::string said = files_.git_line({"cat-file", "-s", id});
  const std::string twice = std::to_string(2 * std::stoi(said));
  EXPECT_TRUE(has(core_objects(files_.work(), id + "," + id, 1), "\"bytes\":" + twice));
  EXPECT_FALSE(core_objects(files_.work(), "none", 1).ok());
}

TEST_F(CoreTest, WhatIsNoRepositoryIsAnError) {
  const std::string nowhere = files_.path("nowhere");
  EXPECT_FALSE(core_scan(nowhere, 1).ok());
  EXPECT_FALSE(core_resident(nowhere, 1, 1, 100).ok());
}

TEST(Json, IsWhatTheDriverReads) {
  EXPECT_EQ(JsonObject().text(), "{}");
  const Samples samples = {1, -2, 3};
  EXPECT_EQ(JsonObject().add("a", samples).add("b", int64_t{7}).add("c", "x\"y").text(),
            R"({"a":[1,-2,3],"b":7,"c":"x\"y"})");
}

TEST(ProcessMemory, KnowsItsOwn) {
  const ProcessMemory memory = memory_of("self");
  EXPECT_GT(memory.resident_kb, 1000);
  EXPECT_GE(memory.peak_kb, memory.resident_kb);
  EXPECT_EQ(memory_of("no process").resident_kb, 0);
}

}  // namespace
}  // namespace resident::bench
