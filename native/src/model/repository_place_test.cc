// Where a worktree's repository is, as `.git` is moved about and git is asked where it leads.
#include "model/repository_place.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "testing/fake_git_runner.h"
#include "testing/hermetic_environment.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

class RepositoryPlaceTest : public ::testing::Test {
 protected:
  RepositoryPlaceTest() : environment_(repo_.root()) {
    repo_.init();
    repo_.git({"commit", "-q", "--allow-empty", "-m", "1"});
  }

  // As an owner does that makes another model, once the repository moved.
  void open() {
    place_.reset();
    git_.reset();
    repository_ = testing::value_of(discover(repo_.work()));
    git_.emplace(
        runner_, [] {}, steady_now(), repo_.work());
    place_.emplace(posix_file_system(), repository_, nullptr, *git_, true);
  }
  std::optional<ErrorCode> check() {
    (void)git_->tasks().deliver();
    const Result<void> checked = place_->check();
    return checked.ok() ? std::nullopt : std::optional(checked.error().code);
  }
  // Like `git init --separate-git-dir`.
  void move_git_dir(const std::string& to) {
    const std::string from = stdfs::is_directory(dot_git()) ? dot_git() : repository_.git_dir;
    stdfs::rename(from, repo_.path(to));
    point_to(to);
  }
  void point_to(const std::string& git_dir) {
    stdfs::remove_all(dot_git());
    testing::write_whole_file(dot_git(), "gitdir: " + repo_.path(git_dir) + "\n");
  }
  std::string dot_git() const { return repo_.work() + "/.git"; }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
  std::shared_ptr<testing::FakeGitRunner> runner_ = std::make_shared<testing::FakeGitRunner>();
  Repository repository_;
  std::optional<BackgroundGit> git_;
  std::optional<RepositoryPlace> place_;
};

TEST_F(RepositoryPlaceTest, GitIsAskedOnceWhereARepositoryIsThatMoved) {
  open();
  EXPECT_EQ(check(), std::nullopt);
  move_git_dir("moved");
  EXPECT_EQ(check(), ErrorCode::kPending);
  EXPECT_EQ(check(), ErrorCode::kPending);
  EXPECT_EQ(place_->found(), nullptr);
  EXPECT_EQ(runner_->started(), 1u);
  runner_->answer();
  EXPECT_EQ(check(), ErrorCode::kPending);
  ASSERT_NE(place_->found(), nullptr);
  EXPECT_EQ(place_->found()->git_dir, repo_.path("moved"));
  open();
  EXPECT_EQ(check(), std::nullopt);
  EXPECT_EQ(runner_->started(), 1u);
}

TEST_F(RepositoryPlaceTest, ARepositoryIsTheSameByEveryNameOfItsGitDirectory) {
  open();
  move_git_dir("moved");
  open();
  EXPECT_EQ(check(), std::nullopt);
  stdfs::create_directory_symlink("moved", repo_.path("link"));
  for (const char* name : {"link", "link/", "./moved/../link"}) {
    point_to(name);
    EXPECT_EQ(check(), std::nullopt) << name;
  }
  stdfs::remove(dot_git());
  stdfs::create_directory_symlink("../moved", dot_git());
  EXPECT_EQ(check(), std::nullopt);
  EXPECT_EQ(runner_->started(), 0u);
}

TEST_F(RepositoryPlaceTest, ALinkThatLeadsToAnotherRepositoryIsFollowed) {
  stdfs::rename(dot_git(), repo_.path("one"));
  stdfs::copy(repo_.path("one"), repo_.path("two"), stdfs::copy_options::recursive);
  stdfs::create_directory_symlink("../one", dot_git());
  open();
  EXPECT_EQ(check(), std::nullopt);
  stdfs::remove(dot_git());
  stdfs::create_directory_symlink("../two", dot_git());
  EXPECT_EQ(check(), ErrorCode::kPending);
  runner_->answer();
  EXPECT_EQ(check(), ErrorCode::kPending);
  ASSERT_NE(place_->found(), nullptr);
  EXPECT_EQ(place_->found()->git_dir, repo_.path("two"));
}

TEST_F(RepositoryPlaceTest, APlaceThatChangesWhileGitIsAskedIsAskedAboutAgain) {
  open();
  EXPECT_EQ(check(), std::nullopt);
  move_git_dir("one");
  EXPECT_EQ(check(), ErrorCode::kPending);
  stdfs::rename(repo_.path("one"), repo_.path("two"));
  point_to("two");
  EXPECT_EQ(check(), ErrorCode::kPending);
  EXPECT_EQ(runner_->cancelled(), 1u);
  EXPECT_EQ(runner_->started(), 2u);
  runner_->answer();
  EXPECT_EQ(check(), ErrorCode::kPending);
  ASSERT_NE(place_->found(), nullptr);
  EXPECT_EQ(place_->found()->git_dir, repo_.path("two"));
}

TEST_F(RepositoryPlaceTest, WhatGitRefusesIsNotAskedAboutAgainUntilSomethingChanges) {
  open();
  EXPECT_EQ(check(), std::nullopt);
  stdfs::rename(dot_git(), repo_.path("away"));
  point_to("nowhere");
  EXPECT_EQ(check(), ErrorCode::kPending);
  runner_->answer();
  for (int times = 0; times < 3; ++times) EXPECT_EQ(check(), ErrorCode::kUnsupported);
  EXPECT_EQ(runner_->started(), 1u);
  // `.git` stays as it is.
  stdfs::rename(repo_.path("away"), repo_.path("nowhere"));
  EXPECT_EQ(check(), ErrorCode::kPending);
  runner_->answer();
  EXPECT_EQ(check(), ErrorCode::kPending);
  ASSERT_NE(place_->found(), nullptr);
  EXPECT_EQ(place_->found()->git_dir, repo_.path("nowhere"));
}

TEST_F(RepositoryPlaceTest, WhatIsBackIsNotAskedAbout) {
  open();
  EXPECT_EQ(check(), std::nullopt);
  stdfs::rename(dot_git(), repo_.path("away"));
  EXPECT_EQ(check(), ErrorCode::kPending);
  runner_->answer();
  EXPECT_EQ(check(), ErrorCode::kUnsupported);
  stdfs::rename(repo_.path("away"), dot_git());
  EXPECT_EQ(check(), std::nullopt);
  EXPECT_EQ(runner_->started(), 1u);
}

// Between the discovery and the first look.
TEST_F(RepositoryPlaceTest, ARepositoryThatMovedBeforeTheFirstLookIsFound) {
  open();
  move_git_dir("moved");
  EXPECT_EQ(check(), ErrorCode::kPending);
  runner_->answer();
  EXPECT_EQ(check(), ErrorCode::kPending);
  ASSERT_NE(place_->found(), nullptr);
  EXPECT_EQ(place_->found()->git_dir, repo_.path("moved"));
}

TEST_F(RepositoryPlaceTest, TheRepositoryOfADirectoryAboveIsNoneOfTheWorktree) {
  open();
  EXPECT_EQ(check(), std::nullopt);
  stdfs::rename(dot_git(), repo_.path(".git"));
  EXPECT_EQ(check(), ErrorCode::kPending);
  runner_->answer();
  EXPECT_EQ(check(), ErrorCode::kUnsupported);
  EXPECT_EQ(place_->found(), nullptr);
}

}  // namespace
}  // namespace resident
