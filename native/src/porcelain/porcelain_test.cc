#include "porcelain/porcelain.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "porcelain/porcelain_writer.h"
#include "status/ask_git.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;
using Arguments = RepoBuilder::Arguments;

// Builds repositories and parses git's version 2 output. Our print of it must equal git's output in
// every other format.
class PorcelainTest : public ::testing::Test {
 protected:
  PorcelainTest() { repo_.init(); }

  void commit(const std::string& message = "x") {
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "--allow-empty", "-m", message});
  }

  StatusResult answer(const Arguments& options) {
    Arguments arguments = {"status", "--porcelain=v2", "-z"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    auto parsed = parse_porcelain_v2(repo_.git(arguments));
    EXPECT_TRUE(parsed.ok()) << parsed.error().message;
    return parsed.ok() ? *std::move(parsed) : StatusResult{};
  }

  void expect_as_git(const StatusResult& status, const PrintOptions& options, Arguments config,
                     const Arguments& query) {
    Arguments arguments = std::move(config);
    arguments.push_back("status");
    switch (options.format) {
      case StatusFormat::kLong:
        arguments.push_back("--long");
        break;
      case StatusFormat::kShort:
        arguments.push_back("--short");
        break;
      case StatusFormat::kPorcelainV1:
        arguments.push_back("--porcelain=v1");
        break;
      case StatusFormat::kPorcelainV2:
        arguments.push_back("--porcelain=v2");
        break;
    }
    if (options.null_terminated) arguments.push_back("-z");
    arguments.insert(arguments.end(), query.begin(), query.end());
    EXPECT_EQ(print_status(status, options), repo_.git(arguments))
        << ::testing::PrintToString(arguments);
  }

  void expect_all_formats(const Arguments& query, const std::string& prefix = "") {
    expect_all_formats(answer(query), query, prefix);
  }

  void expect_all_formats(const StatusResult& status, const Arguments& query,
                          const std::string& prefix = "") {
    for (StatusFormat format :
         {StatusFormat::kShort, StatusFormat::kPorcelainV1, StatusFormat::kPorcelainV2}) {
      for (bool null_terminated : {false, true}) {
        PrintOptions options;
        options.rules = current_git_rules().value();
        options.format = format;
        options.null_terminated = null_terminated;
        options.prefix = prefix;
        options.algorithm = algorithm_;
        expect_as_git(status, options, {}, query);
        PrintOptions bare_bytes = options;
        bare_bytes.quote_high_bytes = false;
        expect_as_git(status, bare_bytes, {"-c", "core.quotePath=false"}, query);
        PrintOptions from_root = options;
        from_root.prefix = "";
        expect_as_git(status, from_root, {"-c", "status.relativePaths=false"}, query);
        if (format == StatusFormat::kShort) {
          PrintOptions colored = options;
          colored.colors.emplace();
          expect_as_git(status, colored, {"-c", "color.status=always"}, query);
          colored.colors->header = "\033[35m";
          colored.colors->untracked = "\033[1;34m";
          expect_as_git(status, colored,
                        {"-c", "color.status=always", "-c", "color.status.header=magenta", "-c",
                         "color.status.untracked=bold blue"},
                        query);
        }
      }
    }
  }

  RepoBuilder repo_;
  HashAlgorithm algorithm_ = HashAlgorithm::kSha1;
};

TEST_F(PorcelainTest, EveryLetter) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "line " + std::to_string(i) + "\n";
  for (const char* name : {"modified", "staged", "both", "deleted", "gone", "typed", "mode"}) {
    repo_.write(name, name);
  }
  repo_.write("old name", text);
  repo_.write("dir/old", "b\n" + text);
  commit();
  repo_.write("modified", "2");
  repo_.write("staged", "2");
  repo_.write("both", "2");
  repo_.write("new", "new");
  repo_.git({"mv", "old name", "new name"});
  repo_.git({"mv", "dir/old", "dir/renamed and changed"});
  repo_.git({"rm", "-q", "gone"});
  repo_.git({"add", "staged", "both", "new"});
  repo_.write("both", "3");
  repo_.write("dir/renamed and changed", "c\n" + text);
  std::filesystem::remove(repo_.work() + "/deleted");
  std::filesystem::remove(repo_.work() + "/typed");
  std::filesystem::create_symlink("x", repo_.work() + "/typed");
  std::filesystem::permissions(repo_.work() + "/mode", std::filesystem::perms::owner_all);
  repo_.write("intended", "i");
  repo_.git({"add", "-N", "intended"});
  repo_.write("untracked/file", "u");
  repo_.write(".gitignore", "ignored*\n");
  repo_.write("ignored file", "");
  repo_.write("ignored-dir/x", "");
  for (const char* untracked : {"-uno", "-unormal", "-uall"}) {
    expect_all_formats({untracked, "--branch"});
  }
  expect_all_formats({"--ignored"});
  expect_all_formats({"--ignored=matching", "--no-renames"});
  expect_all_formats({"--find-renames=100%"});
  repo_.enter("repo/dir");
  expect_all_formats({"--ignored", "--branch"}, "dir/");
  repo_.enter("repo/untracked");
  expect_all_formats({"--ignored"}, "untracked/");
}

TEST_F(PorcelainTest, RenameInTheWorktree) {
  repo_.write("from", std::string(500, 'x') + "\n");
  commit();
  std::filesystem::rename(repo_.work() + "/from", repo_.work() + "/to");
  repo_.git({"add", "-N", "to"});
  expect_all_formats({});
}

TEST_F(PorcelainTest, Copies) {
  repo_.write("from", std::string(500, 'x') + "\n");
  commit();
  repo_.write("from", std::string(500, 'x') + "\ny\n");
  repo_.write("copy", std::string(500, 'x') + "\n");
  repo_.git({"add", "-A"});
  repo_.git({"config", "status.renames", "copies"});
  StatusResult status = answer({});
  ASSERT_EQ(status.changed.size(), 2u);
  EXPECT_EQ(status.changed[0].index, Change::kCopied);
  expect_all_formats({});
}

TEST_F(PorcelainTest, NamesThatNeedQuotes) {
  for (const char* name : {"tab\there", "new\nline", "quote\"d", "back\\slash", "sp ace", " lead",
                           "\xff\xfe invalid", "\xc3\xa4", "\x01\x7f", "bell\a\b\v\f\r", "plain"}) {
    repo_.write(name, "1");
    repo_.write(std::string("dir/") + name, "1");
    repo_.write(std::string("un/") + name, "1");
  }
  repo_.git({"add", "dir"});
  expect_all_formats({"-uall", "--branch"});
  commit();
  repo_.git({"mv", "sp ace", "other \" name"});
  repo_.git({"mv", "tab\there", "newtab\there"});
  expect_all_formats({});
  repo_.enter("repo/dir");
  expect_all_formats({}, "dir/");
}

TEST_F(PorcelainTest, PathsSeenFromADeepDirectory) {
  for (const char* name : {"a/b/c/f", "a/b/cc", "a/bb/f", "a/b/c/d/f", "ab/f", "f", "a/f"}) {
    repo_.write(name, "1");
  }
  commit();
  for (const char* name : {"a/b/c/f", "a/b/cc", "a/bb/f", "a/b/c/d/f", "ab/f", "f", "a/f"}) {
    repo_.write(name, "2");
  }
  repo_.write("a/b/c/new/f", "1");
  repo_.write("z/f", "1");
  for (std::string prefix : {"a/", "a/b/", "a/b/c/", "a/b/c/d/", "ab/", "z/"}) {
    repo_.enter("repo/" + prefix);
    expect_all_formats({}, prefix);
  }
}

TEST_F(PorcelainTest, EveryConflict) {
  for (const char* name : {"both-modified", "we-delete", "they-delete", "both-delete", "clean"}) {
    repo_.write(name, "base\n");
  }
  commit("base");
  repo_.git({"checkout", "-q", "-b", "theirs"});
  repo_.write("both-modified", "theirs\n");
  repo_.write("we-delete", "theirs\n");
  repo_.write("both-add", "theirs\n");
  std::filesystem::remove(repo_.work() + "/they-delete");
  repo_.git({"mv", "both-delete", "renamed-by-them"});
  commit("theirs");
  repo_.git({"checkout", "-q", "main"});
  repo_.write("both-modified", "ours\n");
  repo_.write("they-delete", "ours\n");
  repo_.write("both-add", "ours\n");
  std::filesystem::remove(repo_.work() + "/we-delete");
  repo_.git({"mv", "both-delete", "renamed-by-us"});
  repo_.write("clean", "ours\n");
  commit("ours");
  EXPECT_NE(repo_.try_git({"merge", "theirs"}).exit_code, 0);
  repo_.write("a-change", "1");
  repo_.write("clean", "2");
  repo_.git({"add", "a-change"});
  StatusResult status = answer({});
  std::string masks;
  for (const UnmergedEntry& entry : status.unmerged)
    masks += std::string(conflict_letters(entry.stage_mask())) + " ";
  EXPECT_EQ(masks, "AA DD UU UA AU UD DU ");
  expect_all_formats({"--branch"});
}

TEST_F(PorcelainTest, Submodules) {
  repo_.init({}, "library");
  repo_.write("f", "1");
  commit();
  repo_.enter("repo");
  repo_.set_environment("GIT_ALLOW_PROTOCOL", "file");
  for (const char* name : {"commits", "content", "untracked", "all", "clean"}) {
    repo_.git({"submodule", "--quiet", "add", repo_.path("library"), name});
  }
  expect_all_formats({});
  commit();
  auto advance = [&](const std::string& name) {
    repo_.enter("repo/" + name);
    commit();
    repo_.enter("repo");
  };
  repo_.write("content/f", "2");
  repo_.write("untracked/new", "1");
  advance("commits");
  advance("all");
  repo_.write("all/f", "2");
  repo_.write("all/new", "2");
  expect_all_formats({});
  expect_all_formats({"--ignore-submodules=dirty"});
  repo_.git({"add", "commits"});
  expect_all_formats({});
  repo_.enter("repo/content");
  expect_all_formats({});
}

TEST_F(PorcelainTest, BranchHeaders) {
  expect_all_formats({"--branch"});  // unborn
  repo_.git({"config", "branch.main.remote", "."});
  repo_.git({"config", "branch.main.merge", "refs/heads/up"});
  expect_all_formats({"--branch"});  // unborn, its upstream gone
  commit();
  expect_all_formats({"--branch"});  // gone
  repo_.git({"branch", "up"});
  expect_all_formats({"--branch"});  // equal
  commit();
  expect_all_formats({"--branch"});  // ahead
  expect_all_formats({"--branch", "--no-ahead-behind"});
  repo_.git({"checkout", "-q", "up"});
  commit("other");
  repo_.git({"checkout", "-q", "main"});
  expect_all_formats({"--branch"});  // diverged
  expect_all_formats({"--branch", "--no-ahead-behind"});
  repo_.git({"reset", "-q", "--hard", "up~"});
  expect_all_formats({"--branch"});  // behind
  repo_.git({"checkout", "-q", "--detach"});
  expect_all_formats({"--branch"});
  repo_.git({"symbolic-ref", "HEAD", "refs/elsewhere/x"});
  StatusResult elsewhere = answer({"--branch"});
  elsewhere.branch->name = "refs/elsewhere/x";
  elsewhere.branch->outside_heads = true;
  expect_all_formats(elsewhere, {"--branch"});
  repo_.git({"checkout", "-q", "--orphan", "unborn"});
  expect_all_formats({"--branch"});
}

TEST_F(PorcelainTest, AHeadThatCannotBeResolved) {
  repo_.git({"symbolic-ref", "refs/heads/main", "refs/heads/loop"});
  repo_.git({"symbolic-ref", "refs/heads/loop", "refs/heads/main"});
  StatusResult status = answer({"--branch"});
  status.branch->name = "";
  expect_all_formats(status, {"--branch"});
}

TEST_F(PorcelainTest, StashHeader) {
  repo_.write("f", "1");
  commit();
  for (const char* content : {"2", "3"}) {
    repo_.write("f", content);
    repo_.git({"stash", "-q"});
    expect_all_formats({"--show-stash", "--branch"});
  }
}

TEST_F(PorcelainTest, Sha256) {
  repo_.init({"--object-format=sha256"}, "long");
  algorithm_ = HashAlgorithm::kSha256;
  repo_.write("f", "1");
  commit();
  repo_.write("f", "2");
  repo_.write("g", "2");
  repo_.git({"add", "g"});
  expect_all_formats({"--branch"});
}

}  // namespace
}  // namespace resident
