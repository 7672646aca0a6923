// The branch header against `git status --porcelain=v2 --branch --show-stash`.
#include "history/branch_status.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"

namespace resident {
namespace {

using testing::RepoBuilder;
using testing::value_of;
using Refspecs = std::vector<std::string>;

class BranchStatusTest : public ::testing::Test {
 protected:
  void init() {
    repo_.init();
    for (const char* message : {"one", "two", "three"}) commit(message);
  }
  void commit(const std::string& message) {
    date_ += 100;
    repo_.set_date(date_);
    repo_.git({"commit", "-q", "--allow-empty", "-m", message});
  }
  void config(const std::string& key, const std::string& value) {
    repo_.git({"config", "--add", key, value});
  }
  void track(const std::string& remote, const std::string& merge) {
    repo_.try_git({"config", "--unset-all", "branch.main.remote"});
    repo_.try_git({"config", "--unset-all", "branch.main.merge"});
    config("branch.main.remote", remote);
    config("branch.main.merge", merge);
  }
  void make_ref(const std::string& name, const std::string& target) {
    repo_.git({"update-ref", name, target});
  }

  Result<BranchStatus> read(bool ahead_behind = true) {
    const std::string git_dir = repo_.work() + "/.git";
    FileSystem& fs = posix_file_system();
    RESIDENT_TRY(auto objects, ObjectDatabase::open(posix_file_system(), git_dir + "/objects", {}));
    RefStore refs(git_dir, git_dir, HashAlgorithm::kSha1, fs);
    BranchSources sources{refs,
                          *objects,
                          fs,
                          git_dir,
                          [&](std::string_view key) { return values_of(std::string(key)); },
                          value_of(current_git_rules())};
    RESIDENT_TRY(Head head, refs.head());
    [[maybe_unused]] auto files = branch_status_files(head, sources);
    RESIDENT_TRY(BranchReading reading, read_branch(head, sources, ahead_behind));
    RESIDENT_TRY([[maybe_unused]] const bool counted, reading.count({}));
    return std::move(reading.status);
  }
  std::vector<std::string> values_of(const std::string& key) {
    const std::string out = repo_.try_git({"config", "-z", "--get-all", key}).out;
    std::vector<std::string> values;
    for (size_t at = 0; at < out.size();) {
      const size_t end = out.find('\0', at);
      values.push_back(out.substr(at, end - at));
      at = end + 1;
    }
    return values;
  }
  // Prints in porcelain v2.
  static std::string print(const BranchStatus& status) {
    std::string text = "# branch.oid " + (status.initial ? "(initial)" : status.head.hex()) + "\n";
    text += "# branch.head " + (status.detached ? "(detached)" : status.name) + "\n";
    if (!status.has_upstream) return text;
    text += "# branch.upstream " + status.upstream + "\n";
    if (status.upstream_gone) return text;
    if (!status.counted) return text + "# branch.ab +? -?\n";
    return text + "# branch.ab +" + std::to_string(status.ahead) + " -" +
           std::to_string(status.behind) + "\n";
  }
  void expect_as_git() {
    for (bool ahead_behind : {true, false}) {
      auto status = read(ahead_behind);
      ASSERT_TRUE(status.ok()) << status.error().message;
      EXPECT_EQ(print(*status), repo_.git({"status", "--porcelain=v2", "--branch", "-uno",
                                           ahead_behind ? "--ahead-behind" : "--no-ahead-behind"}));
    }
    // Only the short format shows that an upstream is gone.
    const std::string line = repo_.git({"status", "-sb", "-uno"});
    EXPECT_EQ(read()->upstream_gone, line.ends_with(" [gone]\n")) << line;
  }

  RepoBuilder repo_;
  int64_t date_ = 1700000000;
};

TEST_F(BranchStatusTest, HeadWithoutUpstream) {
  init();
  expect_as_git();
  repo_.git({"checkout", "-q", "--detach", "HEAD~1"});
  expect_as_git();
  EXPECT_EQ(read()->name, "HEAD");
  repo_.git({"checkout", "-q", "--orphan", "fresh/start"});
  expect_as_git();
  repo_.git({"symbolic-ref", "HEAD", "refs/odd/place"});
  EXPECT_TRUE(read()->outside_heads);
  EXPECT_EQ(read()->name, "refs/odd/place");
}

TEST_F(BranchStatusTest, Clone) {
  init();
  repo_.git({"clone", "-q", repo_.work(), repo_.path("clone")});
  repo_.enter("clone");
  expect_as_git();
  commit("ahead");
  expect_as_git();
  make_ref("refs/remotes/origin/main", "HEAD~2");
  expect_as_git();
  repo_.git({"checkout", "-q", "-b", "side", "HEAD~3"});
  commit("side");
  make_ref("refs/remotes/origin/main", "side");
  repo_.git({"checkout", "-q", "main"});
  expect_as_git();
  EXPECT_EQ(read()->ahead, 3);
  EXPECT_EQ(read()->behind, 1);
  // Disjoint histories.
  repo_.git({"checkout", "-q", "--orphan", "other"});
  commit("root");
  make_ref("refs/remotes/origin/main", "other");
  repo_.git({"checkout", "-q", "main"});
  expect_as_git();
}

TEST_F(BranchStatusTest, UpstreamThatIsGone) {
  init();
  config("remote.origin.url", "/nowhere");
  config("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  track("origin", "refs/heads/main");
  expect_as_git();
  EXPECT_TRUE(read()->upstream_gone);
  // An unborn branch counts as gone too.
  make_ref("refs/remotes/origin/main", "HEAD");
  repo_.git({"update-ref", "-d", "refs/heads/main"});
  expect_as_git();
}

TEST_F(BranchStatusTest, UpstreamsThatLeadToNoCommit) {
  init();
  config("remote.origin.url", "/nowhere");
  config("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  track("origin", "refs/heads/main");
  repo_.write(".git/refs/remotes/origin/main", "rubbish\n");
  EXPECT_EQ(read().error().code, ErrorCode::kUnsupported);
  repo_.write(".git/refs/remotes/origin/main", std::string(40, '1') + "\n");
  EXPECT_TRUE(read()->upstream_gone);
  make_ref("refs/remotes/origin/main", "HEAD^{tree}");
  EXPECT_TRUE(read()->upstream_gone);
  repo_.git({"tag", "-a", "-m", "tag", "v1", "HEAD~1"});
  make_ref("refs/remotes/origin/main", "v1");
  expect_as_git();
  EXPECT_EQ(read()->ahead, 1);
}

TEST_F(BranchStatusTest, LocalUpstreams) {
  init();
  repo_.git({"branch", "base", "HEAD~1"});
  for (const char* merge :
       {"refs/heads/base", "base", "heads/base", "nothing", "refs/heads/nothing"}) {
    track(".", merge);
    expect_as_git();
  }
  repo_.git({"tag", "base", "HEAD~2"});
  for (const char* merge : {"refs/heads/base", "base", "heads/base", "refs/tags/base"}) {
    track(".", merge);
    expect_as_git();
    config("core.warnAmbiguousRefs", "false");
    expect_as_git();
    repo_.git({"config", "--unset-all", "core.warnAmbiguousRefs"});
  }
  repo_.git({"symbolic-ref", "refs/heads/alias", "refs/heads/base"});
  track(".", "alias");
  expect_as_git();
  track(".", "@{-1}");
  EXPECT_EQ(read().error().code, ErrorCode::kUnsupported);
}

TEST_F(BranchStatusTest, RefspecsDecide) {
  init();
  make_ref("refs/remotes/origin/main", "HEAD~1");
  make_ref("refs/remotes/mirror/x-main-y", "HEAD~2");
  make_ref("refs/special", "HEAD~1");
  const Refspecs choices[] = {
      {},
      {"refs/heads/main"},
      {"+refs/heads/main:refs/remotes/origin/main"},
      {"refs/heads/ma*:refs/remotes/mirror/x-ma*-y"},
      {"refs/heads/other:refs/special", "refs/heads/*:refs/remotes/origin/*"},
      {"refs/heads/main:refs/special", "refs/heads/*:refs/remotes/origin/*"},
      {"refs/heads/main:", "refs/heads/*:refs/remotes/origin/*"},
      {"refs/heads/*n:refs/remotes/origin/*n", "^refs/heads/main"},
      {"refs/heads/main:refs/special", "^refs/heads/m*"},
      {"refs/heads/main:refs/special", "^refs/heads/other"},
      {"refs/heads/*:refs/heads/*", "^refs/heads/main"},
      {"refs/*/main:refs/remotes/*/main"},
      {"HEAD:refs/special"},
  };
  for (const Refspecs& refspecs : choices) {
    repo_.try_git({"config", "--remove-section", "remote.origin"});
    config("remote.origin.url", "/nowhere");
    for (const std::string& refspec : refspecs) config("remote.origin.fetch", refspec);
    for (const char* merge : {"refs/heads/main", "main", "HEAD", "refs/heads/mai"}) {
      track("origin", merge);
      SCOPED_TRACE((refspecs.empty() ? "" : refspecs[0]) + " for " + merge);
      expect_as_git();
    }
  }
}

TEST_F(BranchStatusTest, RefspecsThatGitRefuses) {
  init();
  track("origin", "refs/heads/main");
  config("remote.origin.url", "/nowhere");
  for (const char* refspec :
       {"refs/heads/*:refs/x", "refs/heads/x:refs/*", "refs/heads/*", "a b", "^", "^a:b",
        "refs/heads/**:refs/x/**", "a:b..c", "refs/*/*:refs/*/*", "^refs/heads/*x*"}) {
    repo_.try_git({"config", "--unset-all", "remote.origin.fetch"});
    config("remote.origin.fetch", refspec);
    EXPECT_NE(repo_.try_git({"status", "-sb"}).exit_code, 0) << refspec;
    auto status = read();
    ASSERT_FALSE(status.ok()) << refspec;
    EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
  }
}

TEST_F(BranchStatusTest, SeveralMergesRemotesAndOldRemoteFiles) {
  init();
  make_ref("refs/remotes/origin/a", "HEAD~1");
  make_ref("refs/remotes/origin/b", "HEAD~2");
  config("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  track("elsewhere", "refs/heads/a");
  expect_as_git();
  config("branch.main.remote", "origin");
  config("branch.main.merge", "refs/heads/b");
  expect_as_git();
  config("remote./abs.fetch", "+refs/heads/*:refs/remotes/origin/*");
  track("/abs", "refs/heads/a");
  expect_as_git();
  repo_.write(".git/remotes/old", "URL: /nowhere\nPull: refs/heads/a:refs/remotes/origin/a\n");
  track("old", "refs/heads/a");
  EXPECT_EQ(read().error().code, ErrorCode::kUnsupported);
  config("remote.old.url", "/nowhere");
  expect_as_git();
}

TEST_F(BranchStatusTest, AmbiguousShortNames) {
  init();
  config("remote.origin.url", "/nowhere");
  config("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  track("origin", "refs/heads/main");
  make_ref("refs/remotes/origin/main", "HEAD~1");
  for (const char* name :
       {"refs/heads/origin/main", "refs/remotes/origin/main/HEAD", "refs/remotes/origin/main"}) {
    repo_.try_git({"update-ref", name, "HEAD"});
    expect_as_git();
  }
}

TEST_F(BranchStatusTest, AnUpstreamThatIsTheHeadOfItsRemote) {
  init();
  config("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  track("origin", "refs/heads/HEAD");
  make_ref("refs/remotes/origin/main", "HEAD~1");
  repo_.git({"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"});
  expect_as_git();
  make_ref("refs/heads/origin", "HEAD");
  expect_as_git();
}

TEST_F(BranchStatusTest, GraftsAreLeftToGit) {
  init();
  repo_.git({"branch", "base", "HEAD~1"});
  track(".", "refs/heads/base");
  EXPECT_TRUE(read().ok());
  repo_.write(".git/info/grafts", "");
  EXPECT_EQ(read().error().code, ErrorCode::kUnsupported);
}

TEST_F(BranchStatusTest, CountsTheStash) {
  init();
  const std::string git_dir = repo_.work() + "/.git";
  RefStore refs(git_dir, git_dir, HashAlgorithm::kSha1, posix_file_system());
  auto expect_count = [&](int expected) {
    auto count = count_stash(refs);
    ASSERT_TRUE(count.ok());
    EXPECT_EQ(*count, expected);
    const std::string header =
        expected ? "# stash " + std::to_string(expected) + "\n" : std::string();
    EXPECT_EQ(repo_.git({"status", "--porcelain=v2", "--show-stash", "-uno"}), header);
  };
  expect_count(0);
  repo_.write("file", "1\n");
  repo_.git({"add", "file"});
  commit("file");
  for (int i = 1; i <= 3; ++i) {
    repo_.write("file", std::to_string(10 + i) + "\n");
    repo_.git({"stash", "push", "-q", "-m", "a > b " + std::to_string(i)});
    expect_count(i);
  }
  // Invalid entries, and a truncated entry.
  const std::string log = repo_.read(".git/logs/refs/stash");
  const std::string entry = log.substr(0, log.find('\n'));
  std::string no_zone = entry;
  no_zone.erase(no_zone.find(" +0000"), 6);
  repo_.write(".git/logs/refs/stash", log + "rubbish\n\n" + no_zone + "\n" + entry);
  expect_count(3);
  repo_.git({"stash", "clear"});
  expect_count(0);
}

TEST_F(BranchStatusTest, WhatGitSaysOnTheWayToAnUpstream) {
  init();
  const auto expect_warning = [&](bool speaks) {
    const auto status = read();
    ASSERT_TRUE(status.ok()) << status.error().message;
    expect_as_git();
    EXPECT_EQ(status->git_warns, speaks);
    EXPECT_EQ(!repo_.try_git({"status", "-sb", "-uno"}).err.empty(), speaks);
  };
  make_ref("refs/heads/side", "HEAD~1");
  track(".", "side");
  expect_warning(false);
  repo_.write(".git/refs/tags/side", "nothing");
  EXPECT_EQ(read().error().code, ErrorCode::kUnsupported) << "a broken one is git's to tell of";
  repo_.write(".git/refs/tags/side", "ref: refs/heads/nowhere\n");
  expect_warning(true);
  // The first match is enough.
  config("core.warnAmbiguousRefs", "false");
  make_ref("refs/side", "HEAD");
  expect_warning(false);
  config("branch.main.merge", "nowhere");
  repo_.write(".git/refs/heads/nowhere", "nothing");
  expect_warning(true);
  track("elsewhere", "side");
  expect_warning(false);
}

TEST_F(BranchStatusTest, AnUpstreamThatIsNoCommit) {
  init();
  track(".", "refs/tags/tree");
  make_ref("refs/tags/tree", "HEAD^{tree}");
  expect_as_git();
  EXPECT_TRUE(read()->git_warns);
  EXPECT_TRUE(read()->upstream_gone);
  repo_.write(".git/refs/tags/tree", std::string(40, '1') + "\n");
  expect_as_git();
  EXPECT_FALSE(read()->git_warns) << "a missing one has git none the wiser";
}

TEST_F(BranchStatusTest, WhereDatesLieACommitGraphWithoutDatesIsGitsToWalkBy) {
  init();
  repo_.git({"checkout", "-q", "-b", "side", "HEAD~1"});
  repo_.set_date(date_ - 100000);
  repo_.git({"commit", "-q", "--allow-empty", "-m", "old"});
  track(".", "refs/heads/main");
  config("branch.side.remote", ".");
  config("branch.side.merge", "refs/heads/main");
  expect_as_git();
  repo_.git({"commit-graph", "write", "--reachable"});
  expect_as_git();
  repo_.git({"-c", "commitGraph.generationVersion=1", "commit-graph", "write", "--reachable"});
  const auto status = read();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
  EXPECT_TRUE(read(false).ok()) << "nothing is counted";
}

}  // namespace
}  // namespace resident
