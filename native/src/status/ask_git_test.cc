#include "status/ask_git.h"

#include <gtest/gtest.h>

#include "testing/hermetic_environment.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using namespace std::string_literals;

TEST(ParsePorcelainV2, EveryKindOfRecord) {
  const std::string id(40, 'a'), other(40, 'b'), null(40, '0');
  const std::string out = "# branch.oid " + id +
                          "\0# branch.head main\0# branch.upstream origin/main\0"s +
                          "# branch.ab +2 -3\0# stash 4\0"s +                                    //
                          "1 M. N... 100644 100755 100755 " + id + " " + other + " a b\nc\0"s +  //
                          "2 R. N... 100644 100644 100644 " + id + " " + id +
                          " R087 new\0old name\0"s + "1 .M SCMU 160000 160000 160000 " + id + " " +
                          id + " sub\0"s + "u UD N... 100644 100644 000000 100644 " + id + " " +
                          other + " " + null + " both\0"s + "? un tracked\0! ig/\0"s;
  auto parsed = parse_porcelain_v2(out);
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  ASSERT_TRUE(parsed->branch);
  EXPECT_EQ(parsed->branch->name, "main");
  EXPECT_EQ(parsed->branch->head.hex(), id);
  EXPECT_EQ(parsed->branch->upstream, "origin/main");
  EXPECT_FALSE(parsed->branch->upstream_gone);
  EXPECT_EQ(parsed->branch->ahead, 2);
  EXPECT_EQ(parsed->branch->behind, 3);
  EXPECT_EQ(parsed->stash_count, 4);
  ASSERT_EQ(parsed->changed.size(), 3u);
  EXPECT_EQ(parsed->changed[0].path, "a b\nc");
  EXPECT_EQ(parsed->changed[0].index, Change::kModified);
  EXPECT_EQ(parsed->changed[0].worktree, Change::kNone);
  EXPECT_EQ(parsed->changed[0].in_index.mode, 0100755u);
  EXPECT_EQ(parsed->changed[0].in_index.id.hex(), other);
  EXPECT_EQ(parsed->changed[1].from, "old name");
  EXPECT_EQ(parsed->changed[1].score, 87);
  EXPECT_TRUE(parsed->changed[2].is_submodule);
  EXPECT_EQ(parsed->changed[2].submodule, (SubmoduleState{true, true, true}));
  ASSERT_EQ(parsed->unmerged.size(), 1u);
  EXPECT_EQ(parsed->unmerged[0].stage_mask(), 3);
  EXPECT_EQ(parsed->unmerged[0].worktree_mode, 0100644u);
  EXPECT_EQ(parsed->untracked, std::vector<std::string>{"un tracked"});
  EXPECT_EQ(parsed->ignored, std::vector<std::string>{"ig/"});
}

TEST(ParsePorcelainV2, Branches) {
  auto branch = [](const std::string& out) { return *parse_porcelain_v2(out)->branch; };
  EXPECT_TRUE(branch("# branch.oid (initial)\0# branch.head main\0"s).initial);
  EXPECT_TRUE(branch("# branch.oid (initial)\0# branch.head (detached)\0"s).detached);
  const std::string start = "# branch.oid (initial)\0# branch.head main\0# branch.upstream up\0"s;
  EXPECT_TRUE(branch(start).upstream_gone);
  EXPECT_TRUE(branch(start + "# branch.ab +? -?\0"s).differs);
  EXPECT_FALSE(branch(start + "# branch.ab +? -?\0"s).counted);
}

TEST(ParsePorcelainV2, NothingAtAll) {
  auto parsed = parse_porcelain_v2("");
  ASSERT_TRUE(parsed.ok());
  EXPECT_FALSE(parsed->branch);
  EXPECT_TRUE(parsed->changed.empty());
}

TEST(ParsePorcelainV2, WhatGitNeverPrintsIsCorrupt) {
  const std::string id(40, 'a');
  const std::string good = "1 M. N... 100644 100755 100755 " + id + " " + id + " path";
  ASSERT_TRUE(parse_porcelain_v2(good + '\0').ok());
  // Each truncation before the path, and some invalid text.
  for (size_t length = 1; length < good.size() - 5; ++length) {
    EXPECT_FALSE(parse_porcelain_v2(good.substr(0, length) + '\0').ok()) << length;
  }
  for (const char* record :
       {"3 x", "fatal: no", "1", "1 ", "?x", "u ", "# branch.ab x", "# branch.oid xyz", "# stash x",
        "2 R. N... 100644 100644 100644 1 2 R100 p", "1 M. N.. 1 2 3 4 5 p"}) {
    auto parsed = parse_porcelain_v2(std::string(record) + '\0');
    ASSERT_FALSE(parsed.ok()) << record;
    EXPECT_EQ(parsed.error().code, ErrorCode::kCorrupt);
  }
}

TEST(AskGit, SaysWhatTheQueryAsks) {
  testing::RepoBuilder repo;
  testing::HermeticEnvironment environment(repo.root());
  repo.init();
  repo.write("a", "1\n2\n3\n4\n");
  repo.write(".gitignore", "*.o\n");
  repo.git({"add", "-A"});
  repo.git({"commit", "-q", "-m", "1"});
  repo.git({"mv", "a", "b"});
  repo.write("d/u", "1");
  repo.write("d/x.o", "1");
  GitRunOptions options;
  options.cwd = repo.work();
  StatusQuery query;
  auto status = ask_git(query, options);
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(status->untracked, std::vector<std::string>{"d/"});
  EXPECT_TRUE(status->ignored.empty());
  EXPECT_FALSE(status->branch);
  ASSERT_EQ(status->changed.size(), 1u);
  EXPECT_EQ(status->changed[0].from, "a");

  query.untracked = UntrackedMode::kAll;
  query.ignored = IgnoredMode::kTraditional;
  query.renames = RenameMode::kOff;
  query.branch = true;
  query.stash = true;
  status = ask_git(query, options);
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(status->untracked, std::vector<std::string>{"d/u"});
  EXPECT_EQ(status->ignored, std::vector<std::string>{"d/x.o"});
  EXPECT_EQ(status->changed.size(), 2u);
  EXPECT_EQ(status->branch->name, "main");

  query.renames.reset();
  for (int score : {0, 1, 30000, 59999, 60000}) {
    query.rename_score = score;
    status = ask_git(query, options);
    ASSERT_TRUE(status.ok()) << score << ": " << status.error().message;
    EXPECT_EQ(status->changed.size(), 1u) << score;
  }

  options.cwd = repo.root();
  auto refused = ask_git(query, options);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("not a git repository"), std::string::npos);
}

}  // namespace
}  // namespace resident
