// The history and remotes that prompts show beside the output of `git status`.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "fs/linux/posix_file_system.h"
#include "history/action_name.h"
#include "history/commit_summary.h"
#include "history/remote_branch.h"
#include "history/tag_names.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"

namespace resident {
namespace {

using testing::RepoBuilder;
using testing::value_of;

TEST(CommitSummaryTest, IsTheFirstParagraphAsOneLine) {
  const std::string header = "tree 0\nauthor a\ncommitter c\n";
  EXPECT_EQ(commit_summary(header + "\none\n"), (CommitSummary{"", "one"}));
  EXPECT_EQ(commit_summary(header + "\n\n \n one \t\n  two\r\n\nthree\n").text, " one   two");
  EXPECT_EQ(commit_summary(header + "encoding KOI8-R\nencoding x\n\na"),
            (CommitSummary{"KOI8-R", "a"}));
  EXPECT_EQ(commit_summary(header + "gpgsig a\n encoding x\n\nencoding y\n"),
            (CommitSummary{"", "encoding y"}));
  EXPECT_EQ(commit_summary(header + std::string("\na\0b\n", 5)).text, "a");
  EXPECT_EQ(commit_summary(header), CommitSummary());
  EXPECT_EQ(commit_summary(""), CommitSummary());
}

TEST(RemoteUrlTest, IsRewrittenByTheLongestPrefix) {
  const Config config = Config::from_entries({
      {"remote.o.url", "gh:a/b"},
      {"remote.o.url", "second"},
      {"url.https://x/.insteadof", "gh:"},
      {"url.https://y/.insteadof", "gh:a/"},
      {"url.https://z/.insteadof", "gh"},
      {"url.https://push/.pushinsteadof", "gh:a/b"},
      {"url..insteadof", "none"},
  });
  EXPECT_EQ(remote_url("o", config), "https://y/b");
  EXPECT_EQ(remote_url("p", config), "");
}

class PromptHistoryTest : public ::testing::Test {
 protected:
  PromptHistoryTest() {
    repo_.init();
    repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
    repository_.worktree = repo_.work();
    repository_.git_dir = repository_.common_dir = repo_.work() + "/.git";
    refs_ = std::make_unique<RefStore>(repository_.git_dir, repository_.git_dir,
                                       HashAlgorithm::kSha1, fs_);
    objects_ =
        value_of(ObjectDatabase::open(posix_file_system(), repository_.git_dir + "/objects", {}));
  }

  // The result refers to `config`.
  BranchSources sources_of(const Config& config) {
    return {*refs_,
            *objects_,
            fs_,
            repository_.common_dir,
            [&config](std::string_view key) {
              const std::vector<std::string_view> values = config.get_all(key);
              return std::vector<std::string>(values.begin(), values.end());
            },
            {}};
  }

  std::string tag_of(const std::string& revision) {
    (void)objects_->refresh();
    EXPECT_TRUE(tags_.load(*refs_, *objects_).ok());
    const auto found =
        tags_.by_commit().find(*ObjectId::from_hex(repo_.git_line({"rev-parse", revision})));
    return found == tags_.by_commit().end() ? "" : found->second.last;
  }
  std::string action() {
    const Config config = Config::from_entries({});
    const GitRules rules = value_of(current_git_rules());
    return action_name({fs_, *refs_, *objects_, config, rules, repository_});
  }

  FileSystem& fs_ = posix_file_system();
  RepoBuilder repo_;
  Repository repository_;
  std::unique_ptr<RefStore> refs_;
  std::unique_ptr<ObjectDatabase> objects_;
  TagNames tags_;
};

TEST_F(PromptHistoryTest, TheLastTagByNameThatLeadsToTheCommit) {
  EXPECT_EQ(tag_of("HEAD"), "");
  repo_.git({"tag", "b"});
  repo_.git({"tag", "-a", "-m", "x", "a"});
  EXPECT_EQ(tag_of("HEAD"), "b");
  repo_.git({"tag", "-a", "-m", "x", "nested/c", "a"});
  EXPECT_EQ(tag_of("HEAD"), "nested/c");
  repo_.git({"tag", "tree", "HEAD^{tree}"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  EXPECT_EQ(tag_of("HEAD"), "");
  repo_.git({"pack-refs", "--all"});
  EXPECT_EQ(tag_of("HEAD~"), "nested/c");
  repo_.git({"tag", "-d", "nested/c"});
  EXPECT_EQ(tag_of("HEAD~"), "b");
  repo_.git({"tag", "-d", "b"});
  EXPECT_EQ(tag_of("HEAD~"), "a");
}

TEST_F(PromptHistoryTest, TagsThatCannotBeReadArePassedOver) {
  repo_.git({"tag", "-a", "-m", "x", "a"});
  repo_.git({"tag", "-a", "-m", "x", "b"});
  repo_.git({"tag", "-a", "-m", "x", "c"});
  const std::string damaged = repo_.loose_object("b");
  std::filesystem::remove(damaged);
  testing::write_whole_file(damaged, "rubbish");
  std::filesystem::remove(repo_.loose_object("c"));
  EXPECT_EQ(tag_of("HEAD"), "a");
  ASSERT_TRUE(tags_.failure());
  EXPECT_EQ(tags_.failure()->code, ErrorCode::kUnsupported);
}

TEST_F(PromptHistoryTest, DirectoriesOfTagsAreAmongTheirFiles) {
  repo_.git({"tag", "a/b/c"});
  const std::vector<std::string> files = TagNames::files(*refs_);
  const auto has = [&](const std::string& name) {
    return std::count(files.begin(), files.end(), repository_.git_dir + "/" + name) == 1;
  };
  EXPECT_TRUE(has("refs/tags/"));
  EXPECT_TRUE(has("refs/tags/a/"));
  EXPECT_TRUE(has("refs/tags/a/b/"));
  EXPECT_FALSE(has("refs/tags/a/b/c/"));
}

TEST_F(PromptHistoryTest, ActionsHaveTheirWordsAndSteps) {
  const auto write = [&](const std::string& name, const std::string& text) {
    repo_.write(".git/" + name, text);
  };
  EXPECT_EQ(action(), "");
  write("BISECT_LOG", "");
  EXPECT_EQ(action(), "bisect");
  write("CHERRY_PICK_HEAD", repo_.git_line({"rev-parse", "HEAD"}) + "\n");
  EXPECT_EQ(action(), "cherry");
  write("sequencer/todo", "");
  EXPECT_EQ(action(), "cherry-seq");
  write("REVERT_HEAD", repo_.git_line({"rev-parse", "HEAD"}) + "\n");
  EXPECT_EQ(action(), "revert-seq");
  write("MERGE_HEAD", "");
  EXPECT_EQ(action(), "merge");
  write("rebase-apply/next", "2\n");
  EXPECT_EQ(action(), "am/rebase");
  write("rebase-apply/last", "5\n");
  EXPECT_EQ(action(), "am/rebase 2/5");
  write("rebase-apply/applying", "");
  EXPECT_EQ(action(), "am 2/5");
  write("rebase-apply/rebasing", "");
  EXPECT_EQ(action(), "rebase 2/5");
  write("rebase-merge/msgnum", "x\x1b");
  write("rebase-merge/end", "5");
  EXPECT_EQ(action(), "rebase-m");
  write("rebase-merge/msgnum", "3");
  write("rebase-merge/interactive", "");
  EXPECT_EQ(action(), "rebase-i 3/5");
  write("rebase-merge/msgnum", "12345678901");
  EXPECT_EQ(action(), "rebase-i");
}

TEST_F(PromptHistoryTest, ABranchHasAnUpstreamAndAPlaceToBePushedTo) {
  std::vector<ConfigEntry> entries = {
      {"branch.main.remote", "origin"},
      {"branch.main.merge", "refs/heads/trunk"},
      {"remote.origin.url", "/up"},
      {"remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"},
      {"remote.mine.url", "/mine"},
      {"remote.mine.fetch", "+refs/heads/*:refs/remotes/mine/x/*"},
  };
  const auto both = [&] {
    const Config config = Config::from_entries(entries);
    const BranchSources sources = sources_of(config);
    return std::pair(value_of(upstream_remote_branch("main", sources, config)),
                     value_of(push_remote_branch("main", config)));
  };
  const auto names = [](const std::optional<RemoteBranch>& branch) {
    if (!branch) return std::string("none");
    return branch->remote + "|" + branch->ref + "|" + branch->branch + "|" + branch->url;
  };
  EXPECT_EQ(names(both().first), "origin|refs/remotes/origin/trunk|trunk|/up");
  EXPECT_EQ(names(both().second), "none");
  entries.push_back({"remote.pushdefault", "mine"});
  EXPECT_EQ(names(both().second), "mine|refs/remotes/mine/x/main|x/main|/mine");
  entries.push_back({"branch.main.pushremote", "."});
  EXPECT_EQ(names(both().second), ".|refs/heads/main|main|");
  entries.push_back({"branch.main.pushremote", "unknown"});
  EXPECT_EQ(names(both().second), "none");
  entries.push_back({"branch.main.pushremote", "/a/path"});
  EXPECT_EQ(names(both().second), "none");
  entries.push_back({"branch.main.remote", "."});
  entries.push_back({"branch.main.merge", "refs/heads/main"});
  EXPECT_EQ(names(both().first), ".|refs/heads/trunk|trunk|");
}

// Compares with git's %(push) and `git remote get-url --push`, over random configurations.
TEST_F(PromptHistoryTest, WhereAPushGoesAsGitSays) {
  const auto one_of = [](std::mt19937& random, std::initializer_list<const char*> values) {
    return std::string(values.begin()[random() % values.size()]);
  };
  repo_.git({"config", "url.https://x/.insteadOf", "gh:"});
  repo_.git({"config", "url.ssh://x/.pushInsteadOf", "gh:"});
  const std::string base = value_of(fs_.read_file(repository_.git_dir + "/config"));
  int told = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::string text = base;
    const auto set = [&](const std::string& section, const std::string& name,
                         const std::string& value) {
      if (!value.empty()) text += "[" + section + "]\n" + name + " = " + value + "\n";
    };
    set("remote \"origin\"", "url", one_of(random, {"gh:a", "/up", "https://y/b"}));
    set("remote \"origin\"", "fetch", "+refs/heads/*:refs/remotes/origin/*");
    set("remote \"mine\"", "url", one_of(random, {"gh:a", "/mine"}));
    set("remote \"mine\"", "pushUrl", one_of(random, {"", "gh:c", "/there"}));
    set("remote \"mine\"", "fetch",
        one_of(random, {"+refs/heads/*:refs/remotes/mine/*", "+refs/heads/x:refs/remotes/mine/x"}));
    set("remote \"mine\"", "mirror", one_of(random, {"", "", "", "true"}));
    set("branch \"main\"", "remote", one_of(random, {"", "origin", "origin", "mine", "."}));
    set("branch \"main\"", "merge", one_of(random, {"", "refs/heads/main", "refs/heads/other"}));
    set("branch \"main\"", "pushRemote", one_of(random, {"", "", "mine", "origin", "/path"}));
    set("remote", "pushDefault", one_of(random, {"", "", "mine"}));
    set("push", "default",
        one_of(random, {"", "simple", "current", "matching", "upstream", "tracking", "nothing"}));
    repo_.write(".git/config", text);
    const Config config =
        value_of(Config::load(fs_, {repository_.worktree, repository_.worktree, repository_.git_dir,
                                    repository_.common_dir}));
    const BranchSources sources = sources_of(config);
    const auto ours = value_of(push_destination("main", sources, config));
    const std::string gits =
        repo_.git_line({"for-each-ref", "--format=%(push)", "refs/heads/main"});
    const std::string remote =
        repo_.git_line({"for-each-ref", "--format=%(push:remotename)", "refs/heads/main"});
    if (!gits.empty()) {
      ++told;
      ASSERT_TRUE(ours) << gits;
      EXPECT_EQ(ours->ref, gits);
    } else if (ours) {
      // git's %(push) is empty for a "simple" push to another remote.
      const std::string way(config.get("push.default").value_or("simple"));
      EXPECT_EQ(way, "simple");
      EXPECT_NE(ours->remote, config.get("branch.main.remote").value_or("origin"));
    }
    if (!ours) continue;
    // git prints no remote if no setting names it.
    if (!remote.empty()) {
      EXPECT_EQ(ours->remote, remote);
    }
    const auto url = repo_.try_git({"remote", "get-url", "--push", ours->remote});
    EXPECT_EQ(ours->url + (url.exit_code == 0 ? "\n" : ""), url.exit_code == 0 ? url.out : "");
  }
  EXPECT_GT(told, 10);
}

}  // namespace
}  // namespace resident
