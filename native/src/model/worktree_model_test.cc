// The model over a repository whose events come from the test: single files, and git's changes to
// the index.
#include "model/worktree_model.h"

#include "model/model_test_support.h"

namespace resident {
namespace {

using WorktreeModelTest = ModelTest;
namespace stdfs = std::filesystem;

TEST_F(WorktreeModelTest, AnEmptyRepository) {
  start();
  expect_as_git();
  write("new", "1");
  expect_as_git("an untracked file on an unborn branch");
}

TEST_F(WorktreeModelTest, AQuestionAfterAWriteSeesIt) {
  for (const char* path : {"f", "d/f", "d/e/f"}) repo_.write(path, "0");
  commit_all();
  start();
  expect_as_git("clean");
  for (int i = 1; i < 5; ++i) {
    write("d/e/f", std::to_string(i));
    EXPECT_EQ(lines().back().substr(0, 2), ".M");
    expect_as_git();
  }
  write("d/e/f", "0");
  EXPECT_EQ(lines().size(), 1u) << "only the branch";
  expect_as_git("as it was");
}

TEST_F(WorktreeModelTest, FilesComeChangeAndGo) {
  repo_.write("keep", "0");
  repo_.write("d/f", "0");
  commit_all();
  start();
  write("d/new", "1");
  expect_as_git("created");
  rename("d/new", "d/newer");
  expect_as_git("renamed");
  rename("d/f", "g");
  expect_as_git("a tracked file renamed");
  remove("g");
  expect_as_git("deleted");
  remove("keep");
  symlink("d", "keep");
  expect_as_git("a symbolic link in place of a file");
  remove("keep");
  write("keep", "0");
  chmod("keep", 0755);
  expect_as_git("executable");
  write("odd \n\"\xff", "1");
  expect_as_git("a name of any bytes");
}

TEST_F(WorktreeModelTest, AsManyFilesAsTheIndexHasButOthers) {
  for (const char* path : {"d/a1", "d/b2", "d/e/f", "d/g", "h/f", "h/g"}) repo_.write(path, path);
  commit_all();
  stdfs::rename(at("d/a1"), at("d/a2"));
  stdfs::rename(at("d/b2"), at("d/b1"));
  stdfs::remove(at("h/f"));
  stdfs::create_directory(at("h/f"));
  repo_.write("h/i", "new");
  start();
  expect_as_git();
}

TEST_F(WorktreeModelTest, SpecialFilesAreNotSeen) {
  repo_.write("f", "0");
  commit_all();
  start();
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  mark("pipe", true);
  expect_as_git();
  remove("f");
  ASSERT_EQ(::mkfifo(at("f").c_str(), 0600), 0);
  mark("f", true);
  expect_as_git("in place of a tracked file");
}

TEST_F(WorktreeModelTest, GitWritesTheIndex) {
  for (const char* path : {"a", "b", "d/c", "d/e/f"}) repo_.write(path, path);
  start();
  repo_.git({"add", "a", "d"});
  expect_as_git("added to an empty index");
  repo_.git({"commit", "-q", "-m", "1"});
  expect_as_git("committed");
  repo_.git({"rm", "-q", "--cached", "d/c"});
  expect_as_git("a staged deletion whose file stays: two rows of one path");
  EXPECT_EQ(told_.tracked.count("d/c"), 1u);
  EXPECT_EQ(told_.untracked.count("d/c"), 1u);
  repo_.git({"add", "d/c"});
  expect_as_git("added again");
  EXPECT_EQ(told_.untracked.count("d/c"), 0u);
  repo_.git({"mv", "a", "moved"});
  mark("a", false);
  mark("moved", true);
  expect_as_git("renamed in the index");
  repo_.git({"add", "--intent-to-add", "b"});
  expect_as_git("intent to add");
  repo_.git({"reset", "-q"});
  expect_as_git("reset");
}

TEST_F(WorktreeModelTest, ADirectoryThatTheNewIndexLacksLeavesOthersAlone) {
  for (const char* path : {"a/1", "a/x/2", "b/3", "b/y/4", "c/5"}) repo_.write(path, path);
  commit_all();
  start();
  repo_.git({"rm", "-r", "-q", "--cached", "a"});
  expect_as_git("the first directory");
  repo_.git({"rm", "-r", "-q", "--cached", "b", "c"});
  expect_as_git("the last entries");
  repo_.git({"add", "-A"});
  expect_as_git("all again");
  repo_.git({"rm", "-r", "-q", "--cached", "b/y"});
  expect_as_git("one in the middle");
}

TEST_F(WorktreeModelTest, StagesComeAndGoAmongEntriesThatStay) {
  for (const char* path : {"d/a", "d/b", "d/b.c", "d/e/f", "z"}) repo_.write(path, path);
  commit_all();
  start();
  const std::string blob = repo_.git_line({"rev-parse", "HEAD:d/a"});
  const std::string none = "0 " + std::string(40, '0') + "\t";
  for (const char* path : {"d/a", "d/b", "d/b.c", "z"}) {
    for (const char* stages : {"123", "23", "2", "3", "13", "1", "0", "12", "0"}) {
      std::string info = none + path + "\n";
      for (const char* stage = stages; *stage; ++stage) {
        info.append("100644 ").append(blob).append(" ").append(1, *stage);
        info.append("\t").append(path).append("\n");
      }
      repo_.git({"update-index", "--index-info"}, info);
      expect_as_git(std::string(path) + " at stages " + stages);
    }
  }
}

TEST_F(WorktreeModelTest, BranchesAndOperations) {
  repo_.write("f", "0\n");
  commit_all();
  start();
  repo_.git({"checkout", "-q", "-b", "other"});
  expect_as_git("another branch");
  repo_.write("f", "1\n");
  mark("f", false);
  repo_.git({"commit", "-q", "-a", "-m", "1"});
  expect_as_git("committed");
  repo_.git({"checkout", "-q", "main"});
  mark("f", true);
  repo_.write("f", "2\n");
  repo_.git({"commit", "-q", "-a", "-m", "2"});
  expect_as_git();
  (void)repo_.try_git({"merge", "-q", "other"});
  mark("f", true);
  expect_as_git("a conflict");
  EXPECT_EQ(told_.operation, Operation::kMerge);
  write("f", "3\n");
  expect_as_git("edited while in conflict");
  remove("f");
  expect_as_git("deleted while in conflict");
  repo_.git({"merge", "--abort"});
  mark("f", true);
  expect_as_git("aborted");
  EXPECT_EQ(told_.operation, Operation::kNone);
  repo_.git({"checkout", "-q", "--detach"});
  expect_as_git("detached");
}

TEST_F(WorktreeModelTest, AnIndexThatIsReplacedTwiceWithinOneTick) {
  repo_.write("a", "1");
  repo_.write("b", "1");
  commit_all();
  start();
  fs_.freeze();
  for (int i = 0; i < 10; ++i) {
    repo_.write("a", std::to_string(i));
    mark("a", false);
    repo_.git({"add", "a"});
    expect_as_git("first");
    repo_.git({"rm", "-q", "--cached", "b"});
    repo_.git({"add", "b"});
    repo_.git({"reset", "-q", "a"});
    expect_as_git("second");
  }
}

TEST_F(WorktreeModelTest, AnIndexRewrittenInPlaceWithinOneTick) {
  // Same inode, same size, same time: only an unsettled record shows the change.
  repo_.write("a", "1");
  repo_.write("b", "1");
  repo_.git({"add", "a"});
  const std::string with_a = repo_.read(".git/index");
  repo_.git({"rm", "-q", "--cached", "a"});
  repo_.git({"add", "b"});
  const std::string with_b = repo_.read(".git/index");
  ASSERT_EQ(with_a.size(), with_b.size());
  start();
  fs_.freeze();
  for (int i = 0; i < 4; ++i) {
    repo_.write(".git/index", i % 2 ? with_b : with_a);
    expect_as_git();
  }
}

TEST_F(WorktreeModelTest, SkipWorktreeAndAssumeUnchanged) {
  for (const char* path : {"a", "b", "d/c"}) repo_.write(path, path);
  commit_all();
  start();
  repo_.git({"update-index", "--assume-unchanged", "a"});
  repo_.git({"update-index", "--skip-worktree", "d/c"});
  expect_as_git("marked");
  write("a", "other");
  remove("d/c");
  expect_as_git("changed");
  remove("a");
  remove("d");
  expect_as_git("gone");
  repo_.git({"update-index", "--no-assume-unchanged", "a"});
  repo_.git({"update-index", "--no-skip-worktree", "d/c"});
  expect_as_git("unmarked");
}

TEST_F(WorktreeModelTest, ConfigDecidesAndIsRead) {
  repo_.write("f", "0");
  commit_all();
  start();
  chmod("f", 0755);
  expect_as_git("executable");
  repo_.git({"config", "core.fileMode", "false"});
  expect_as_git("core.fileMode off");
  repo_.git({"config", "core.fileMode", "true"});
  expect_as_git("and on");
  repo_.git({"mv", "f", "g"});
  mark("f", false);
  mark("g", true);
  repo_.git({"config", "status.renames", "false"});
  expect_as_git("no renames");
}

TEST_F(WorktreeModelTest, AttributesDecideAndAreRead) {
  repo_.write("f", "a\r\nb\r\n");
  repo_.git({"config", "core.autocrlf", "false"});
  commit_all();
  start();
  write("f", "a\r\nb\r\nc\r\n");
  write("f", "a\nb\n");
  expect_as_git("other line ends");
  write(".gitattributes", "f text eol=lf\n");
  expect_as_git("text");
  write(".gitattributes", "f -text\n");
  expect_as_git("binary");
  remove(".gitattributes");
  repo_.write(".git/info/attributes", "f text=auto\n");
  expect_as_git("info/attributes");
}

TEST_F(WorktreeModelTest, AttributesThatMoveWithTheirDirectory) {
  // Both files have the size of their index entries. The attributes decide whether their content
  // matches the index.
  repo_.write(".git/info/exclude", ".gitattributes\n");
  repo_.write("a/.gitattributes", "f text\n");
  for (const char* path : {"a/f", "b/f"}) repo_.write(path, "1\r\n2\r\n");
  commit_all();
  start();
  expect_as_git("clean");
  rename("a", "t");
  rename("b", "a");
  rename("t", "b");
  expect_as_git("swapped");
  rename("b", "out");
  expect_as_git("moved away");
  rename("a", "b");
  expect_as_git("another in its place");
  rename("out", "a");
  expect_as_git("as at first");
}

TEST_F(WorktreeModelTest, ContentOfHeadAndIndex) {
  repo_.write("d/f", "head");
  commit_all();
  repo_.write("d/f", "index");
  repo_.git({"add", "d/f"});
  repo_.write("d/f", "worktree");
  start();
  auto content = [this](const std::string& path, int stage) {
    auto found = model_->content(path, stage);
    return !found.ok() ? "error" : found->value_or("none");
  };
  EXPECT_EQ(content("d/f", -1), "head");
  EXPECT_EQ(content("d/f", 0), "index");
  EXPECT_EQ(content("d/f", 1), "none");
  EXPECT_EQ(content("d", -1), "none");
  EXPECT_EQ(content("d/f/g", -1), "none");
  EXPECT_EQ(content("", -1), "none");
  EXPECT_EQ(content("gone", 0), "none");
}

// In the index "d/f" follows "f", because directories come after the files beside them.
TEST_F(WorktreeModelTest, ContentOfAStageIsNeverThatOfTheSameNameInTheNextDirectory) {
  repo_.write("d/f", "below");
  commit_all();
  repo_.write("f", "base");
  const std::string id = repo_.git_line({"hash-object", "-w", "f"});
  repo_.git({"update-index", "--index-info"}, "100644 " + id + " 1\tf\n");
  start();
  EXPECT_EQ(model_->content("f", 1)->value_or("none"), "base");
  EXPECT_EQ(model_->content("f", 0)->value_or("none"), "none");
  EXPECT_EQ(model_->content("d/f", 0)->value_or("none"), "below");
  expect_as_git();
}

TEST_F(WorktreeModelTest, WithoutAWatcherOneScanAnswers) {
  repo_.write("f", "0");
  commit_all();
  repo_.write("new", "0");
  open_model(nullptr);
  ASSERT_TRUE(model_->scan().ok());
  EXPECT_EQ(lines(), git_lines(UntrackedMode::kAll, IgnoredMode::kNo));
}

// For rename detection, git compares the file at an unmerged path with missing files, whichever
// stages the path has.
TEST_F(WorktreeModelTest, AnUnmergedFileUsesUpWhatItResembles) {
  const std::string text = "one\ntwo\nthree\nfour\nfive\nsix\n";
  repo_.write("missing", text);
  repo_.write("quarrel", "quarrel\n");
  commit_all();
  repo_.git({"checkout", "-q", "-b", "theirs"});
  repo_.write("quarrel", "theirs\n");
  commit_all();
  repo_.git({"checkout", "-q", "-"});
  repo_.git({"rm", "-q", "quarrel"});
  repo_.git({"commit", "-q", "-m", "gone"});
  (void)repo_.try_git({"merge", "-q", "theirs"});
  start();
  remove("missing");
  expect_as_git("nothing resembles it");
  write("quarrel", text + "seven\n");
  expect_as_git("the unmerged one does");
  write("quarrel", "not any more\n");
  expect_as_git("it did");
}

// git omits files that it cannot see.
TEST_F(WorktreeModelTest, StagesBelowALinkToItselfThatTheIndexHasToo) {
  old_link("loop", "loop");
  commit_all();
  start();
  const std::string commit = repo_.git_line({"rev-parse", "HEAD"});
  std::string stages;
  for (const char* stage : {"2", "3"}) {
    stages.append("160000 ").append(commit).append(" ").append(stage).append("\tloop/x\n");
  }
  repo_.git({"update-index", "--index-info"}, stages);
  expect_as_git();
  EXPECT_EQ(model_->content("loop", 0)->value_or("none"), "loop");
}

}  // namespace
}  // namespace resident
