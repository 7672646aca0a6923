// Ignore rules that change while the model lives.
#include "model/model_test_support.h"

namespace resident {
namespace {

using ModelIgnoreTest = ModelTest;

TEST_F(ModelIgnoreTest, AnIgnoredDirectoryBecomesVisibleAndTheReverse) {
  repo_.write("tracked", "0");
  repo_.write(".gitignore", "out/\n*.log\n");
  commit_all();
  repo_.write("out/a/b", "1");
  repo_.write("x.log", "1");
  repo_.write("d/y.log", "1");
  start();
  EXPECT_FALSE(fake_.is_watched(at("out"))) << "ignored directories are not watched";
  expect_as_git("ignored");
  write(".gitignore", "nothing\n");
  expect_as_git("visible");
  EXPECT_TRUE(fake_.is_watched(at("out/a")));
  write("out/a/c", "1");
  expect_as_git("and watched");
  write(".gitignore", "out/\n");
  expect_as_git("ignored again");
  EXPECT_FALSE(fake_.is_watched(at("out/a")));
  write("out/a/d", "1");
  expect_as_git();
  remove(".gitignore");
  expect_as_git("no file");
}

TEST_F(ModelIgnoreTest, TrackedFilesBelowIgnoredDirectories) {
  repo_.write("out/keep/f", "0");
  repo_.write("out/g", "0");
  repo_.git({"add", "-A"});
  repo_.write(".gitignore", "out\n");
  repo_.git({"add", "-A"});
  repo_.git({"commit", "-q", "-m", "1"});
  repo_.write("out/other/h", "1");
  start();
  expect_as_git();
  write("out/keep/f", "other");
  write("out/keep/new", "1");
  expect_as_git("edited below an ignored directory");
  remove("out/keep/f");
  expect_as_git();
  write(".gitignore", "");
  expect_as_git("not ignored any more");
  write("out/keep/new2", "1");
  write("out/other/h2", "1");
  expect_as_git("and watched");
  write(".gitignore", "out\n!out/keep\n");
  expect_as_git("what is below an ignored directory stays ignored");
}

TEST_F(ModelIgnoreTest, RulesOutsideTheTree) {
  repo_.write("f", "0");
  commit_all();
  for (const char* path : {"a.o", "d/b.o", "d/c"}) repo_.write(path, "1");
  start();
  expect_as_git();
  repo_.write(".git/info/exclude", "*.o\n");
  expect_as_git("info/exclude");
  repo_.write(".git/info/exclude", "d/\n");
  expect_as_git("another one");
  testing::write_whole_file(repo_.path("mine"), "*.o\n");
  repo_.git({"config", "core.excludesFile", repo_.path("mine")});
  expect_as_git("core.excludesFile");
  testing::write_whole_file(repo_.path("mine"), "c\n");
  repo_.write(".git/info/exclude", "");
  expect_as_git("its content");
  std::filesystem::remove(at(".git/info/exclude"));
  expect_as_git("no info/exclude");
}

TEST_F(ModelIgnoreTest, NestedFilesAndPrecedence) {
  repo_.write("d/e/f", "0");
  commit_all();
  for (const char* path : {"d/a.txt", "d/e/a.txt", "d/e/b.txt", "a.txt", "u/a.txt", "u/v/b.txt"}) {
    repo_.write(path, "1");
  }
  start();
  write(".gitignore", "*.txt\n");
  expect_as_git("root");
  write("d/.gitignore", "!a.txt\n");
  expect_as_git("a deeper one takes back");
  write("d/e/.gitignore", "*\n");
  expect_as_git("deeper still");
  write("u/v/.gitignore", "!*\n");
  expect_as_git("in an untracked directory");
  rename("d/.gitignore", "u/.gitignore");
  expect_as_git("moved");
  rename("u", "d/u");
  expect_as_git("moved with its directory");
  remove("d/u/.gitignore");
  mkdir("d/u/.gitignore");
  expect_as_git("a directory of that name");
  remove("d/u/.gitignore");
  testing::write_whole_file(repo_.path("elsewhere"), "*\n");
  symlink(repo_.path("elsewhere"), "d/u/.gitignore");
  expect_as_git("a symbolic link is not followed");
}

TEST_F(ModelIgnoreTest, ARuleThatArrivesWithAnIgnoredDirectory) {
  repo_.write("f", "0");
  commit_all();
  start();
  mkdir("out");
  write("out/f", "1");
  expect_as_git();
  write(".gitignore", "out\n");
  expect_as_git("ignored");
  rename("out", "in");
  expect_as_git("renamed to what is not ignored");
  write("in/g", "1");
  expect_as_git("and watched");
  rename("in", "out");
  expect_as_git("and back");
}

TEST_F(ModelIgnoreTest, AskedPathByPath) {
  repo_.write("kept.log", "0");
  repo_.write("out/tracked", "0");
  commit_all();
  repo_.write(".gitignore", "*.log\nout/\n");
  repo_.write("out/new", "1");
  repo_.write("d/a.log", "1");
  start();
  const std::vector<std::string> paths = {"kept.log", "d/a.log",    "d",    "out/tracked",
                                          "out/new",  "d/gone.log", "out",  "f",
                                          "out/a/b",  "d/a.log/x",  "f/out"};
  std::string input;
  for (const auto& path : paths) input += path + '\0';
  const std::string told = '\0' + repo_.try_git({"check-ignore", "-z", "--stdin"}, input).out;
  auto ignored = model_->ignored(paths);
  ASSERT_TRUE(ignored.ok());
  for (size_t i = 0; i < paths.size(); ++i) {
    EXPECT_EQ((*ignored)[i], told.find('\0' + paths[i] + '\0') != std::string::npos) << paths[i];
  }
}

}  // namespace
}  // namespace resident
