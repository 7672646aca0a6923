// Directories that are created, moved, replaced and removed. The model's watches follow them.
#include "model/model_test_support.h"

namespace resident {
namespace {

class ModelDirectoriesTest : public ModelTest {
 protected:
  ModelDirectoriesTest() {
    for (const char* path : {"top", "a/1", "a/x/2", "a/x/y/3", "b/1", "b/x/4", "c/5"}) {
      repo_.write(path, path);
    }
    commit_all();
  }
};

TEST_F(ModelDirectoriesTest, ARenamedDirectoryAndEditsTwoLevelsBelow) {
  start();
  rename("a", "moved");
  expect_as_git("renamed");
  write("moved/x/y/3", "other");
  write("moved/x/y/new", "1");
  expect_as_git("edited below, untracked now");
  rename("moved", "a");
  expect_as_git("back");
  write("a/x/y/3", "another");
  remove("a/x/2");
  expect_as_git("edited below");
}

TEST_F(ModelDirectoriesTest, ARenameThatTheIndexFollows) {
  start();
  rename("a", "moved");
  repo_.git({"add", "-A"});
  expect_as_git("staged");
  repo_.git({"commit", "-q", "-m", "moved"});
  expect_as_git("committed");
  write("moved/x/y/3", "other");
  expect_as_git("an edit two levels below a directory that moved");
}

TEST_F(ModelDirectoriesTest, TwoDirectoriesSwapped) {
  start();
  rename("a", "t");
  rename("b", "a");
  rename("t", "b");
  expect_as_git("swapped before the model looked");
  write("a/x/4", "other");
  write("b/x/y/3", "other");
  expect_as_git("edited");
  rename("a", "t");
  expect_as_git();
  rename("b", "a");
  expect_as_git();
  rename("t", "b");
  expect_as_git("swapped step by step");
  write("a/x/y/3", "1");
  write("b/x/4", "1");
  expect_as_git("edited again");
}

TEST_F(ModelDirectoriesTest, OneDirectoryOverAnother) {
  start();
  remove("b");
  rename("a", "b");
  expect_as_git();
  write("b/x/y/3", "1");
  expect_as_git();
  rename("b/x", "a");
  expect_as_git("a subdirectory becomes its uncle");
  write("a/y/3", "2");
  expect_as_git();
}

TEST_F(ModelDirectoriesTest, OutOfTheWorktreeAndInAgain) {
  start();
  std::filesystem::rename(at("a"), repo_.path("outside"));
  mark("a", false);
  expect_as_git("out");
  testing::write_whole_file(repo_.path("outside/x/2"), "changed outside");
  expect_as_git("changed outside");
  std::filesystem::rename(repo_.path("outside"), at("a"));
  mark("a", true);
  expect_as_git("in again");
  write("a/x/y/3", "1");
  expect_as_git("and watched");
}

TEST_F(ModelDirectoriesTest, ReplacedByAFileASymlinkAndBack) {
  start();
  rename("a", "t");
  write("a", "a file");
  expect_as_git("by a file");
  remove("a");
  symlink("b", "a");
  expect_as_git("by a link to a directory with the same names");
  write("b/1", "through the link it would differ");
  expect_as_git();
  remove("a");
  symlink("nowhere", "a");
  expect_as_git("by a broken link");
  remove("a");
  rename("t", "a");
  expect_as_git("back");
  write("a/x/y/3", "1");
  expect_as_git("and watched");
}

TEST_F(ModelDirectoriesTest, ReplacedByALinkBeforeTheModelLooks) {
  start();
  // The same batch has marks of files below the old directory.
  write("a/x/2", "other");
  write("a/x/y/3", "other");
  rename("a", "t");
  symlink("t", "a");
  write("t/x/2", "2");
  expect_as_git();
  repo_.git({"rm", "-r", "-q", "--cached", "a/x"});
  expect_as_git("with a new index");
}

TEST_F(ModelDirectoriesTest, AFileBecomesADirectoryAndBack) {
  start();
  remove("top");
  mkdir("top");
  expect_as_git("empty");
  write("top/f", "1");
  expect_as_git("with a file");
  remove("top");
  write("top", "top");
  expect_as_git("back");
}

TEST_F(ModelDirectoriesTest, NewTreesAreReadAndWatched) {
  start();
  mkdir("n");
  expect_as_git("empty");
  std::filesystem::create_directories(at("n/1/2/3"));
  repo_.write("n/1/2/3/f", "1");
  mark("n/1", true);
  expect_as_git("a tree at once, one event");
  write("n/1/2/3/g", "1");
  expect_as_git("watched below");
  remove("n");
  expect_as_git("gone");
  EXPECT_EQ(fake_.watches(), told_.state.directories);
}

TEST_F(ModelDirectoriesTest, RemovedAndMadeAgain) {
  start();
  for (int i = 0; i < 3; ++i) {
    remove("a");
    expect_as_git("removed");
    mkdir("a");
    mkdir("a/x");
    write("a/x/2", "a/x/2");
    expect_as_git("made again");
    write("a/x/2", "other");
    expect_as_git("watched");
  }
  remove("a");
  mkdir("a");
  write("a/1", "a/1");
  expect_as_git("removed and made in one batch");
}

TEST_F(ModelDirectoriesTest, WatchesFollow) {
  start();
  const size_t before = fake_.watches();
  EXPECT_EQ(before, 7u) << "the root, a, a/x, a/x/y, b, b/x, c";
  rename("a", "moved");
  expect_as_git();
  EXPECT_EQ(fake_.watches(), before);
  EXPECT_TRUE(fake_.is_watched(at("moved/x/y")));
  remove("moved");
  expect_as_git();
  EXPECT_EQ(fake_.watches(), before - 3);
}

TEST_F(ModelDirectoriesTest, ANestedRepositoryAppearsInStepsAndVanishes) {
  start();
  mkdir("n");
  write("n/f", "1");
  expect_as_git("no repository yet");
  mkdir("n/.git");
  expect_as_git("an empty .git");
  repo_.write("n/.git/HEAD", "ref: refs/heads/main\n");
  expect_as_git("HEAD");
  std::filesystem::create_directory(at("n/.git/objects"));
  expect_as_git("objects");
  std::filesystem::create_directory(at("n/.git/refs"));
  expect_as_git("refs: now it is one");
  write("n/f", "2");
  write("n/g", "2");
  expect_as_git("its files are its own");
  std::filesystem::remove(at("n/.git/HEAD"));
  expect_as_git("without HEAD it is none");
  repo_.write("n/.git/HEAD", "ref: refs/heads/main\n");
  expect_as_git("again");
  std::filesystem::remove_all(at("n/.git"));
  mark("n/.git", false);
  expect_as_git("without .git");
  write("n/h", "1");
  expect_as_git("watched");
}

TEST_F(ModelDirectoriesTest, WhatMakesADirectoryARepositoryWakes) {
  start();
  mkdir("n");
  mkdir("n/.git");
  update();
  EXPECT_TRUE(fake_.is_watched(at("n/.git"))) << "else only a question would notice";
  repo_.git({"init", "-q", "n"});
  fake_.mark(at("n/.git"), "HEAD", true);
  expect_as_git("a repository");
  EXPECT_TRUE(fake_.is_watched(at("n/.git")));
  rename("n", "m");
  expect_as_git("moved");
  EXPECT_TRUE(fake_.is_watched(at("m/.git")));
  fake_.desync("overflow");
  expect_as_git("scanned");
  EXPECT_TRUE(fake_.is_watched(at("m/.git")));
  remove("m");
  expect_as_git("gone");
  EXPECT_EQ(fake_.watches(), 7u);
}

TEST_F(ModelDirectoriesTest, ANestedRepositoryMovesAndIsWithinAnother) {
  start();
  mkdir("n");
  repo_.git({"init", "-q", "n"});
  mark("n/.git", true);
  expect_as_git("empty repository");
  rename("n", "m");
  expect_as_git("moved");
  mkdir("o");
  rename("m", "o/m");
  expect_as_git("below an untracked directory");
  repo_.git({"init", "-q", "o"});
  mark("o/.git", true);
  expect_as_git("its parent becomes one too");
  std::filesystem::remove_all(at("o/.git"));
  mark("o/.git", false);
  expect_as_git("and no more");
  remove("o/m");
  expect_as_git();
}

TEST_F(ModelDirectoriesTest, ADotGitInATrackedDirectory) {
  start();
  std::filesystem::create_directory(at("a/.git"));
  mark("a/.git", true);
  repo_.write("a/.git/HEAD", "ref: refs/heads/main\n");
  std::filesystem::create_directory(at("a/.git/objects"));
  std::filesystem::create_directory(at("a/.git/refs"));
  write("a/new", "1");
  expect_as_git();
  repo_.git({"rm", "-r", "-q", "--cached", "a"});
  expect_as_git("untracked: now it is a repository");
  repo_.git({"reset", "-q"});
  expect_as_git("tracked again");
}

TEST_F(ModelDirectoriesTest, AnUnreadableDirectory) {
  start();
  bool denied = true;
  using Call = testing::CountingFileSystem::Call;
  fs_.set_fault([&](Call call, std::string_view path) -> std::optional<Error> {
    if (!denied || call != Call::kOpen || !path.ends_with("x")) return std::nullopt;
    return Error{ErrorCode::kPermission, std::string(path) + ": Permission denied"};
  });
  for (const char* path : {"a/x", "b/x"}) {
    mark(path, false);
    fake_.mark(at(path), "");
  }
  update();
  const auto deltas = take();
  ASSERT_FALSE(deltas.empty());
  ASSERT_FALSE(deltas[0].problems.empty());
  EXPECT_NE(deltas[0].problems[0].find("Permission denied"), std::string::npos);
  write("b/1", "others go on");
  EXPECT_EQ(lines().size(), 2u);
  denied = false;
  for (const char* path : {"a/x", "b/x"}) {
    mark(path, false);
    fake_.mark(at(path), "");
  }
  update();
  write("a/x/y/3", "1");
  expect_as_git("readable again");
}

TEST_F(ModelDirectoriesTest, ALinkInADirectorysPlaceAndTheDirectoryAgainInASparseCheckout) {
  old_file("src/lib.h", "1");
  old_file("src/build/a", "1");
  old_file("main.c", "1");
  commit_all();
  repo_.git({"sparse-checkout", "set", "--no-cone", "/*", "!*.c"});
  start_on_inotify();
  std::filesystem::remove_all(at("src"));
  std::filesystem::create_symlink("top", at("src"));
  expect_as_git("a link");
  repo_.write("new", "1");
  repo_.git({"add", "new"});
  repo_.git({"commit", "-q", "-m", "new"});
  expect_as_git("another index");
  repo_.git({"reset", "-q", "--hard"});
  expect_as_git("the directory");
}

TEST_F(ModelDirectoriesTest, ARepositoryInPlaceOfAFileAndItsFirstCommit) {
  start_on_inotify();
  const auto tells = [this](const std::string& line) {
    expect_as_git(line);
    EXPECT_EQ(told_.untracked, std::set<std::string>());
    const auto row = told_.tracked.find("a/1");
    ASSERT_NE(row, told_.tracked.end());
    EXPECT_TRUE(row->second.starts_with(line)) << row->second;
  };
  std::filesystem::remove(at("a/1"));
  repo_.git({"init", "-q", "-b", "main", "a/1"});
  tells(".D 0000");
  // A watch on .git sees nothing below refs/.
  const std::vector<std::string> files = model_->metadata_files();
  EXPECT_TRUE(std::binary_search(files.begin(), files.end(), at("a/1/.git/refs/heads/main")));
  const std::string commit = repo_.git_line({"rev-parse", "HEAD"}) + "\n";
  testing::write_whole_file(at("a/1/.git/refs/heads/main"), commit);
  tells(".T 1100");
  std::filesystem::remove(at("a/1/.git/refs/heads/main"));
  tells(".D 0000");
  repo_.git({"-C", "a/1", "commit", "-q", "--allow-empty", "-m", "first"});
  tells(".T 1100");
  std::filesystem::remove_all(at("a/1/.git"));
  tells(".D 0000");
}

TEST_F(ModelDirectoriesTest, TheSameWhereADirectoryIsIgnored) {
  testing::write_whole_file(at(".git/info/exclude"), "1\n");
  start_on_inotify();
  std::filesystem::remove(at("a/1"));
  repo_.git({"init", "-q", "-b", "main", "a/1"});
  expect_as_git("no commit");
  repo_.git({"-C", "a/1", "commit", "-q", "--allow-empty", "-m", "first"});
  expect_as_git("a commit");
  std::filesystem::remove_all(at("a/1/.git"));
  expect_as_git("no repository");
}

TEST_F(ModelDirectoriesTest, ARepositoryInPlaceOfAFileIsUntrackedOnceTheFileLeavesTheIndex) {
  using Paths = std::set<std::string>;
  std::filesystem::remove(at("a/1"));
  repo_.git({"init", "-q", "-b", "main", "a/1"});
  repo_.git({"-C", "a/1", "commit", "-q", "--allow-empty", "-m", "first"});
  start_on_inotify();
  EXPECT_EQ(told_.untracked, Paths());
  EXPECT_FALSE(model_->explain("a/1")->untracked);
  EXPECT_FALSE(model_->explain("a")->untracked);
  EXPECT_EQ(model_->explain("a/1")->differences, std::vector<Difference>{Difference::kType});
  repo_.git({"rm", "-q", "--cached", "a/1"});
  expect_as_git("out of the index");
  EXPECT_EQ(told_.untracked, Paths{"a/1/"});
  EXPECT_TRUE(model_->explain("a/1")->untracked);
  repo_.git({"reset", "-q"});
  expect_as_git("back");
  EXPECT_EQ(told_.untracked, Paths());
}

}  // namespace
}  // namespace resident
