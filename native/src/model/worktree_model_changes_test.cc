// The names that changes_since() reports.
#include <algorithm>

#include "model/model_test_support.h"

namespace resident {
namespace {

class ModelChanges : public ModelTest {
 protected:
  using For = WorktreeModel::ChangesFor;
  using Names = std::vector<std::string>;

  void start_with_files() {
    for (const char* path : {"a/b/c", "a/d", "e"}) old_file(path, "old\n");
    commit_all();
    start();
    token_ = ask(For::kGit).token;
  }
  void write_untracked_cache() {
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "1");
    repo_.git({"-c", "core.untrackedCache=true", "status"});
  }

  WorktreeModel::Changes ask(For whom) { return model_->changes_since(token_, whom); }
  Names names(For whom = For::kPeople) {
    WorktreeModel::Changes changes = ask(whom);
    if (changes.everything) return {"everything"};
    token_ = changes.token;
    std::sort(changes.names.begin(), changes.names.end());
    return changes.names;
  }

  std::string token_;
};

TEST_F(ModelChanges, NothingWithoutAnEvent) {
  start_with_files();
  EXPECT_EQ(names(), Names());
  EXPECT_EQ(names(For::kGit), Names());
}

TEST_F(ModelChanges, AfterEverythingOnlyTheChanges) {
  for (const char* path : {"a/b/c", "e"}) old_file(path, "old\n");
  commit_all();
  start();
  const WorktreeModel::Changes first = ask(For::kGit);
  EXPECT_TRUE(first.everything);
  token_ = first.token;
  // git fills a new untracked cache after this answer.
  write_untracked_cache();
  EXPECT_EQ(names(For::kGit), Names());
  write("a/new", "");
  EXPECT_EQ(names(For::kGit), Names{"a/new"});
}

TEST_F(ModelChanges, AfterEverythingEachDirectoryOfAnOlderUntrackedCache) {
  for (const char* path : {"a/b/c", "e"}) old_file(path, "old\n");
  commit_all();
  write_untracked_cache();
  start();
  EXPECT_TRUE(ask(For::kGit).everything);
  token_ = ask(For::kGit).token;
  EXPECT_EQ(names(For::kGit), (Names{"a/b/~resident~", "a/~resident~", "~resident~"}));
  EXPECT_EQ(names(For::kGit), Names());
}

TEST_F(ModelChanges, NamesOfFiles) {
  start_with_files();
  write("a/d", "new\n");
  write("a/b/untracked", "");
  remove("e");
  EXPECT_EQ(names(), (Names{"a/b/untracked", "a/d", "e"}));
  // git is always given the names of entries that are not clean.
  EXPECT_EQ(names(), Names());
  EXPECT_EQ(names(For::kGit), (Names{"a/d", "e"}));
}

TEST_F(ModelChanges, WhatGitLooksAtAnywayNeedsNoName) {
  start_with_files();
  write("a/d", "new\n");
  remove("e");
  EXPECT_EQ(names(For::kGit), (Names{"a/d", "e"}));
  // git writes its index with the token of this answer, and marks both files dirty.
  const std::string answer = repo_.path("answer");
  testing::write_whole_file(answer, token_ + '\0' + "/" + '\0');
  testing::write_whole_file(repo_.path("monitor"), "#!/bin/sh\ncat '" + answer + "'\n");
  std::filesystem::permissions(repo_.path("monitor"), std::filesystem::perms::owner_all);
  const std::string setting = "core.fsmonitor=" + repo_.path("monitor");
  repo_.set_environment("GIT_OPTIONAL_LOCKS", "1");
  repo_.git({"-c", setting, "status"});
  const std::string told = token_;
  EXPECT_EQ(names(For::kGit), Names());
  // With a different token, both names are reported.
  EXPECT_EQ(names(For::kGit), (Names{"a/d", "e"}));
  token_ = told;
  EXPECT_EQ(names(For::kGit), Names());
  // A name that changed since the token is reported again.
  token_ = told;
  write("a/d", "newer\n");
  EXPECT_EQ(names(For::kGit), Names{"a/d"});
  // A name that git's index marks as unchanged is reported too.
  repo_.git({"-c", setting, "update-index", "--fsmonitor-valid", "a/d"});
  token_ = told;
  EXPECT_EQ(names(For::kGit), Names{"a/d"});
}

TEST_F(ModelChanges, TheFileOfSubmodulesForAGitThatMayStageIt) {
  old_file(".gitmodules", "[submodule \"s\"]\n\tpath = s\n\turl = ./s\n");
  start_with_files();
  EXPECT_EQ(names(For::kGit), Names{".gitmodules"});
  EXPECT_EQ(names(For::kGitKeepingModules), Names());
  EXPECT_EQ(names(For::kGit), Names{".gitmodules"});
}

TEST_F(ModelChanges, AFileThatCameAndWentWithinOneMark) {
  start_with_files();
  write("a/passing", "");
  remove("a/passing");
  EXPECT_EQ(names(), Names{"a/passing"});
}

TEST_F(ModelChanges, ADirectoryThatMovedWithAllThatIsInIt) {
  start_with_files();
  rename("a", "z");
  const Names told = names(For::kGit);
  for (const char* name :
       {"a", "a/", "a/b/c", "a/d", "z", "z/", "z/~resident~", "z/b/~resident~"}) {
    EXPECT_TRUE(std::binary_search(told.begin(), told.end(), name)) << name;
  }
}

TEST_F(ModelChanges, ADirectoryThatIsNoLongerIgnored) {
  old_file(".gitignore", "out\n");
  repo_.write("out/in/file", "");
  start_with_files();
  write(".gitignore", "other\n");
  const Names told = names(For::kGit);
  for (const char* name : {".gitignore", "out/", "out/~resident~", "out/in/~resident~"}) {
    EXPECT_TRUE(std::binary_search(told.begin(), told.end(), name)) << name;
  }
}

TEST_F(ModelChanges, AnIndexThatSaysOtherwiseOfAFile) {
  start_with_files();
  old_file("e", "as before\n");
  repo_.git({"update-index", "--cacheinfo",
             "100644," + repo_.git({"hash-object", "-w", "a/d"}).substr(0, 40) + ",e"});
  EXPECT_EQ(names(), Names{"e"});
}

TEST_F(ModelChanges, WhatTheSweepFinds) {
  start_with_files();
  old_file("e", "changed without an event\n");
  EXPECT_EQ(names(), Names());
  while (model_->freshness().sweep_progress().rounds < 2) (void)model_->sweep(100);
  EXPECT_EQ(names(), Names{"e"});
}

TEST_F(ModelChanges, FilesWithSeveralLinksAlways) {
  old_file("linked", "old\n");
  std::filesystem::create_hard_link(at("linked"), repo_.root() + "/elsewhere");
  start_with_files();
  EXPECT_EQ(names(For::kGit), Names{"linked"});
  EXPECT_EQ(names(For::kGit), Names{"linked"});
}

TEST_F(ModelChanges, EachNameOnceToPeople) {
  old_file("linked", "old\n");
  std::filesystem::create_hard_link(at("linked"), repo_.root() + "/elsewhere");
  start_with_files();
  EXPECT_EQ(names(), Names{"linked"});
  write("linked", "new\n");
  EXPECT_EQ(names(), Names{"linked"});
}

TEST_F(ModelChanges, ASubmoduleWhoseContentOrCommitChanged) {
  repo_.git({"init", "-q", "-b", "main", "sub"});
  old_file("sub/file", "old\n");
  repo_.git({"-C", "sub", "add", "-A"});
  repo_.git({"-C", "sub", "commit", "-q", "-m", "first"});
  // The times are long ago. A second change would otherwise have the same stat data as the first.
  for (const char* name : {"index", "HEAD", "config", "refs/heads/main", "refs", "objects"}) {
    const timespec times[2] = {{1'500'000'000, 0}, {1'500'000'000, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, at(std::string("sub/.git/") + name).c_str(), times, 0), 0);
  }
  start_with_files();
  // From here on, files that were just written count as settled.
  const auto until_quiet = [this] {
    fs_.run_ahead(100);
    for (int tries = 0; tries < 5; ++tries) {
      if (names().empty()) return true;
    }
    return false;
  };
  EXPECT_TRUE(until_quiet());
  write("sub/file", "changed\n");
  EXPECT_EQ(names(), Names{"sub"});
  EXPECT_TRUE(until_quiet());
  write("sub/file", "changed again\n");
  EXPECT_EQ(names(), Names{"sub"});
  EXPECT_TRUE(until_quiet());
  repo_.git({"-C", "sub", "commit", "-q", "--allow-empty", "-m", "second"});
  EXPECT_EQ(names(), Names{"sub"});
  EXPECT_TRUE(until_quiet());
}

TEST_F(ModelChanges, EverythingAfterEventsWereLost) {
  start_with_files();
  fake_.desync("lost");
  EXPECT_EQ(names(), Names{"everything"});
  EXPECT_EQ(names(), Names{"everything"});
  token_ = ask(For::kPeople).token;
  EXPECT_EQ(names(), Names());
}

TEST_F(ModelChanges, EverythingAfterARescan) {
  start_with_files();
  ASSERT_TRUE(model_->scan().ok());
  EXPECT_EQ(names(), Names{"everything"});
}

TEST_F(ModelChanges, EverythingAfterWhatDecidesHowGitLooks) {
  start_with_files();
  repo_.git({"config", "core.fileMode", "false"});
  EXPECT_EQ(names(), Names{"everything"});
  token_ = ask(For::kPeople).token;
  write(".gitattributes", "* text=auto\n");
  EXPECT_EQ(names(), Names{"everything"});
}

TEST_F(ModelChanges, EverythingWhereSomethingIsPolled) {
  start_with_files();
  EXPECT_EQ(names(), Names());
  fake_.limit(3);
  mkdir("more");
  EXPECT_EQ(names(), Names{"everything"});
  EXPECT_EQ(ask(For::kGit).token, ChangeJournal::no_token());
}

TEST_F(ModelChanges, EverythingWhereGitAnswers) {
  git_may_answer_ = true;
  start_with_files();
  repo_.git({"config", "core.repositoryFormatVersion", "1"});
  repo_.git({"config", "extensions.unknownToUs", "true"});
  EXPECT_EQ(names(), Names{"everything"});
}

TEST_F(ModelChanges, AWholeDirectoryWhereTooManyNamesWereMarked) {
  pending_.names = 2;
  start_with_files();
  for (const char* name : {"a/1", "a/2", "a/3", "a/4"}) write(name, "");
  for (const char* name : {"a/1", "a/2", "a/3", "a/4"}) remove(name);
  // No part of the model remembers these names.
  const Names told = names(For::kGit);
  EXPECT_TRUE(std::binary_search(told.begin(), told.end(), "a/~resident~"));
}

}  // namespace
}  // namespace resident
