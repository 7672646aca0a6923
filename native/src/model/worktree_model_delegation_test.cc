// While git answers for the whole worktree, it runs once per question and change.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "git/git_program.h"
#include "model/model_test_support.h"

namespace resident {
namespace {

class ModelDelegationTest : public ModelTest {
 protected:
  // A path too long for the index's flags: only git reads such an index.
  void add_what_only_git_reads() {
    const std::string blob = repo_.git_line({"hash-object", "-w", "--stdin"}, "x");
    repo_.git({"update-index", "--add", "--index-info"},
              "100644 " + blob + "\t" + std::string(4096, 'n') + "\n");
  }
  void start_delegated() {
    start_gated();
    git_may_answer_ = true;
    add_what_only_git_reads();
    ask_all();
    ASSERT_TRUE(model_->is_delegated());
    settle();
  }
  void ask_all() {
    for (auto untracked : {UntrackedMode::kAll, UntrackedMode::kNormal, UntrackedMode::kNo}) {
      lines(untracked);
    }
    (void)model_->ignored({"f", "i"});
    (void)model_->content("f", 0);
  }
  // Waits until each file is settled: a second write would change its stat data.
  void settle() {
    for (uint64_t before = ~uint64_t{0}; before != model_->git_fallback().runs();) {
      before = model_->git_fallback().runs();
      ask_all();
    }
  }
  // The rows need one run of git, and each question one run.
  void expect_asked_once(const std::string& when) {
    SCOPED_TRACE(when);
    const uint64_t before = model_->git_fallback().runs();
    expect_as_git(when);
    EXPECT_GT(model_->git_fallback().runs(), before);
    settle();
  }
};

TEST_F(ModelDelegationTest, AskedTwiceWithoutAChangeTheAnswerIsTheKeptOne) {
  old_file("f", "0");
  old_file("i", "0");
  repo_.write(".gitignore", "i\n");
  commit_all();
  start_delegated();
  const uint64_t before = model_->git_fallback().runs();
  for (int i = 0; i < 3; ++i) ask_all();
  EXPECT_EQ(*model_->ignored({"f", "i"}), (std::vector<bool>{false, true}));
  EXPECT_EQ(model_->content("f", 0)->value_or("none"), "0");
  for (int i = 0; i < 3; ++i) (void)model_->git_fallback().output({"status", "--short"}, "");
  EXPECT_EQ(model_->git_fallback().runs(), before + 1);
  take();
  EXPECT_EQ(model_->state().kind, ModelState::Kind::kDelegated);
}

TEST_F(ModelDelegationTest, EveryKindOfChangeIsAsked) {
  old_file("f", "0");
  old_file("d/g", "0");
  commit_all();
  start_delegated();
  repo_.write("f", "1");
  expect_asked_once("a tracked file");
  repo_.write("d/new", "1");
  expect_asked_once("an untracked file");
  repo_.write(".git/info/exclude", "new\n");
  expect_asked_once("an ignore rule");
  repo_.git({"config", "core.fileMode", "false"});
  expect_asked_once("the config");
  repo_.git({"commit", "-q", "-m", "x", "--allow-empty", "--only"});
  expect_asked_once("a commit");
  repo_.git({"checkout", "-q", "-b", "other"});
  expect_asked_once("a branch");
  repo_.git({"config", "branch.other.remote", "."});
  repo_.git({"config", "branch.other.merge", "refs/heads/main"});
  expect_asked_once("an upstream");
  repo_.git({"update-ref", "refs/heads/main", "HEAD~1"});
  expect_asked_once("the upstream moves");
  repo_.git({"pack-refs", "--all"});
  expect_asked_once("packed refs");
  repo_.git({"rm", "-q", "--cached", "f"});
  expect_asked_once("the index");
}

TEST_F(ModelDelegationTest, WhatFailsForAnotherReasonIsNotToldForTheOldOne) {
  old_file("f", "0");
  commit_all();
  const std::string whole = repo_.read(".git/index");
  start_gated();
  git_may_answer_ = true;
  repo_.write(".git/info/grafts", "");
  update();
  ASSERT_TRUE(model_->is_delegated());
  settle();
  std::filesystem::remove(at(".git/info/grafts"));
  repo_.write(".git/index", "none" + std::string(100, '\0'));
  // Wait until the index is settled. After that, only worktree changes cause a new check or a new
  // question.
  while (!FileSet::record(fs_, {at(".git/index")}).is_settled()) {
  }
  for (const char* file : {"u", "v", "w"}) {
    repo_.write(file, "");
    const auto updated = model_->update();
    ASSERT_FALSE(updated.ok());
    EXPECT_EQ(updated.error().message, at(".git/index") + ": no index signature at byte 0") << file;
  }
  repo_.write(".git/index", whole);
  expect_as_git("the index is whole again");
  EXPECT_FALSE(model_->is_delegated());
}

TEST_F(ModelDelegationTest, WhatIsWrittenByAnotherNameIsSeen) {
  repo_.write("../outside", "0");
  std::filesystem::create_hard_link(repo_.path("outside"), at("linked"));
  commit_all();
  start_delegated();
  repo_.write("../outside", "1");
  expect_asked_once("a hard link");
}

TEST_F(ModelDelegationTest, WhatIsInADirectoryThatCannotBeListedIsAskedEachTime) {
  old_file("d/f", "0");
  commit_all();
  using Call = testing::CountingFileSystem::Call;
  fs_.set_fault([](Call call, std::string_view path) -> std::optional<Error> {
    if (call != Call::kOpen || path != "d") return std::nullopt;
    return Error{ErrorCode::kPermission, "d: Permission denied"};
  });
  start_gated();
  git_may_answer_ = true;
  add_what_only_git_reads();
  ask_all();
  ASSERT_TRUE(model_->is_delegated());
  repo_.write("d/f", "1");
  expect_as_git("a change of which no watch tells");
}

TEST_F(ModelDelegationTest, ARepositoryBelowIsFollowed) {
  old_file("f", "0");
  commit_all();
  repo_.git({"init", "-q", "sub"});
  repo_.git({"-C", "sub", "commit", "-q", "--allow-empty", "-m", "1"});
  repo_.git({"-c", "advice.addEmbeddedRepo=false", "add", "sub"});
  start_delegated();
  repo_.git({"-C", "sub", "commit", "-q", "--allow-empty", "-m", "2"});
  expect_asked_once("its commit");
  repo_.write("sub/new", "1");
  expect_asked_once("its worktree");
  repo_.git({"init", "-q", "d"});
  expect_asked_once("another one");
  repo_.git({"-C", "d", "commit", "-q", "--allow-empty", "-m", "1"});
  repo_.git({"-c", "advice.addEmbeddedRepo=false", "add", "d"});
  expect_asked_once("is added");
  repo_.git({"-C", "d", "commit", "-q", "--allow-empty", "-m", "2"});
  expect_asked_once("and committed to");
}

TEST_F(ModelDelegationTest, ADirectoryThatBecomesARepository) {
  old_file("f", "0");
  commit_all();
  repo_.git({"init", "-q", "d"});
  std::filesystem::rename(at("d/.git/HEAD"), at("d/.git/elsewhere"));
  start_delegated();
  std::filesystem::rename(at("d/.git/elsewhere"), at("d/.git/HEAD"));
  expect_asked_once("it is one");
}

TEST_F(ModelDelegationTest, ARepositoryBelowWithAnExcludesFileOfItsOwn) {
  old_file("f", "0");
  commit_all();
  repo_.git({"init", "-q", "sub"});
  repo_.git({"-C", "sub", "commit", "-q", "--allow-empty", "-m", "1"});
  repo_.git({"-C", "sub", "config", "core.excludesFile", repo_.path("patterns")});
  repo_.git({"-c", "advice.addEmbeddedRepo=false", "add", "sub"});
  repo_.write("sub/new", "1");
  start_delegated();
  repo_.write("../patterns", "new\n");
  expect_asked_once("its patterns");
}

TEST_F(ModelDelegationTest, AnObjectThatIsMendedInPlaceIsNoLongerRefused) {
  old_file("f", "0");
  commit_all();
  start_gated();
  const std::string tree = repo_.git_line({"rev-parse", "HEAD^{tree}"});
  const std::string object = ".git/objects/" + tree.substr(0, 2) + "/" + tree.substr(2);
  const std::string whole = repo_.read(object);
  std::filesystem::permissions(at(object), std::filesystem::perms::owner_all);
  repo_.write(object, "damaged");
  git_may_answer_ = true;
  add_what_only_git_reads();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(model_->update().ok());
  repo_.write(object, whole);
  expect_as_git("mended");
}

TEST_F(ModelDelegationTest, ARefusalIsKeptToo) {
  old_file("f", "0");
  commit_all();
  start_gated();
  repo_.git({"config", "core.repositoryFormatVersion", "7"});
  git_may_answer_ = true;
  EXPECT_FALSE(model_->update().ok());
  for (uint64_t before = ~uint64_t{0}; before != model_->git_fallback().runs();) {
    before = model_->git_fallback().runs();
    EXPECT_FALSE(model_->update().ok());
  }
  repo_.git({"config", "-f", ".git/config", "core.repositoryFormatVersion", "0"});
  git_may_answer_ = false;
  expect_as_git("mended");
}

// git would find the outer repository, whose paths do not belong to this worktree.
TEST_F(ModelDelegationTest, WithoutItsRepositoryTheWorktreeIsNoPartOfTheOneAround) {
  old_file("f", "0");
  commit_all();
  repo_.git({"init", "-q", repo_.root()});
  start_gated();
  git_may_answer_ = true;
  std::filesystem::rename(at(".git"), repo_.path("aside"));
  EXPECT_FALSE(model_->update().ok());
  take();
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kFailed);
  EXPECT_TRUE(told_.untracked.empty());
  EXPECT_NE(model_->git_fallback().output({"status"}, "")->exit_code, 0);
  std::filesystem::rename(repo_.path("aside"), at(".git"));
  git_may_answer_ = false;
  expect_as_git("whole again");
}

TEST_F(ModelDelegationTest, AConfigThatNamesAnotherWorktreeOrNone) {
  old_file("f", "0");
  commit_all();
  start_gated();
  git_may_answer_ = true;
  for (const auto& [key, value] : {std::pair<std::string, std::string>{"core.worktree", "/"},
                                   {"core.bare", "true"},
                                   {"attr.tree", "HEAD"}}) {
    repo_.git({"config", key, value});
    (void)lines();
    EXPECT_TRUE(model_->is_delegated()) << key;
    repo_.git({"config", "--file", at(".git/config"), "--unset-all", key});
    if (key == "core.bare") repo_.git({"config", "--file", at(".git/config"), key, "false"});
    expect_as_git("without " + key);
    EXPECT_FALSE(model_->is_delegated()) << key;
  }
}

TEST_F(ModelDelegationTest, ARepositoryThatMovedElsewhereIsFollowed) {
  old_file("f", "0");
  commit_all();
  start_gated();
  git_may_answer_ = true;
  repo_.git({"init", "-q", "--separate-git-dir", repo_.path("elsewhere")});
  expect_as_git("moved");
  ASSERT_TRUE(model_->is_delegated());
  settle();
  const uint64_t before = model_->git_fallback().runs();
  ask_all();
  EXPECT_EQ(model_->git_fallback().runs(), before);
  repo_.write("f", "1");
  expect_asked_once("a file");
  repo_.git({"add", "f"});
  update();
  take();
  expect_told();
  expect_asked_once("the index");
  repo_.git({"commit", "-q", "-m", "x"});
  update();
  take();
  expect_told();
}

TEST_F(ModelDelegationTest, FilesThatAConfigNamesWhichOnlyGitReadsAreFollowed) {
  old_file("f", "0");
  repo_.write("u", "0");
  repo_.git({"add", "f"});
  repo_.git({"commit", "-q", "-m", "x"});
  start_gated();
  git_may_answer_ = true;
  expect_as_git("ours");
  repo_.write("../rules", "u\n");
  repo_.write("../included", "[status]\n\tshowUntrackedFiles = all\n");
  repo_.git({"config", "attr.tree", "HEAD"});
  repo_.git({"config", "core.excludesFile", "../rules"});
  repo_.git({"config", "include.path", "../../included"});
  expect_as_git("git's");
  ASSERT_TRUE(model_->is_delegated());
  settle();
  repo_.write("../rules", "v\n");
  expect_asked_once("the excludes file");
  repo_.write("../included", "[core]\n\texcludesFile = ../others\n");
  repo_.write("../others", "u\n");
  expect_asked_once("an included file");
  repo_.write("../others", "v\n");
  expect_asked_once("the excludes file that it names");
}

// A damaged index: git trusts its cache-tree, which contradicts the unmerged entry.
TEST_F(ModelDelegationTest, AnUnmergedPathBelowAValidCacheTree) {
  old_file("d/f", "0");
  old_file("d/g", "0");
  commit_all();
  std::string index = testing::read_whole_file(at(".git/index"));
  const size_t name = index.find("d/f");
  ASSERT_NE(name, index.npos);
  constexpr char kStageTwo = 0x20;
  index[name - 2] |= kStageTwo;
  testing::write_whole_file(at(".git/index"), index);
  git_may_answer_ = true;
  start_gated();
  expect_as_git("damaged before it was opened");
  EXPECT_TRUE(model_->is_delegated());
  repo_.git({"read-tree", "HEAD"});
  git_may_answer_ = false;
  expect_as_git("made anew");
}

TEST_F(ModelDelegationTest, AnotherGitIsAskedAlsoWhereTheRepositoryCouldNeverBeRead) {
  old_file("f", "0");
  commit_all();
  const std::string git = git_on_path().value().path;
  const std::string bin = repo_.root() + "/bin";
  const auto install = [&](const std::string& comment) {
    testing::write_whole_file(bin + "/new",
                              "#!/bin/sh\n# " + comment + "\nexec " + git + " \"$@\"\n");
    std::filesystem::permissions(bin + "/new", std::filesystem::perms::owner_all);
    std::filesystem::rename(bin + "/new", bin + "/git");
  };
  std::filesystem::create_directory(bin);
  install("one");
  environment_.set("PATH", bin + ":" + std::getenv("PATH"));
  repo_.write(".git/info/grafts", repo_.git_line({"rev-parse", "HEAD"}) + "\n");
  git_may_answer_ = true;
  start_gated();
  ASSERT_TRUE(model_->is_delegated());
  settle();
  const uint64_t before = model_->git_fallback().runs();
  update();
  EXPECT_EQ(model_->git_fallback().runs(), before);
  install("another");
  update();
  EXPECT_GT(model_->git_fallback().runs(), before) << "for the rows, which nobody asked for";
}

}  // namespace
}  // namespace resident
