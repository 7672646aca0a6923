// What is not run in an untrusted workspace.
#include <gtest/gtest.h>

#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "model/worktree_model.h"
#include "testing/hermetic_environment.h"
#include "testing/repo_builder.h"
#include "watch/linux/inotify/inotify_watcher.h"

namespace resident {
namespace {

class UntrustedModelTest : public ::testing::Test {
 protected:
  UntrustedModelTest() : environment_(repo_.root()) {
    repo_.init({}, "lib");
    repo_.write("f", "1");
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "1"});
    repo_.init({}, "repo");
    repo_.git(
        {"-c", "protocol.file.allow=always", "submodule", "add", "-q", repo_.path("lib"), "sub"});
    repo_.git({"commit", "-q", "-m", "1"});
  }

  Result<StatusResult> ask(bool trusted) {
    Result<Repository> repository = discover(repo_.work());
    if (!repository.ok()) return std::move(repository).error();
    WorktreeModel::Options options;
    options.trusted = trusted;
    WorktreeModel model(posix_file_system(), std::move(repository).value(), options);
    if (Result<void> scanned = model.scan(); !scanned.ok()) return std::move(scanned).error();
    if (auto delta = model.take_delta()) problems_ = delta->problems;
    return model.answer({});
  }

  std::vector<std::string> problems_;  // that the last ask() told

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
};

TEST_F(UntrustedModelTest, ASubmodulesMonitorIsNotRunAndItsStateIsRight) {
  const std::string trace = repo_.path("ran");
  const std::string script = repo_.path("monitor");
  testing::write_whole_file(script, "#!/bin/sh\ntouch '" + trace + "'\nprintf '/\\0'\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  repo_.git({"-C", "sub", "config", "core.fsmonitor", script});
  repo_.write("sub/f", "22");
  repo_.write("sub/new", "1");

  Result<StatusResult> careful = ask(false);
  ASSERT_TRUE(careful.ok()) << careful.error().message;
  EXPECT_FALSE(std::filesystem::exists(trace));
  ASSERT_EQ(careful->changed.size(), 1u);
  EXPECT_EQ(careful->changed[0].submodule, (SubmoduleState{false, true, true}));

  Result<StatusResult> trusting = ask(true);
  ASSERT_TRUE(trusting.ok());
  EXPECT_TRUE(std::filesystem::exists(trace)) << "the script proves nothing";
  EXPECT_EQ(careful->changed, trusting->changed);
}

TEST_F(UntrustedModelTest, ASubmoduleThatCannotBeReadIsAnErrorUntilItCan) {
  const std::string index = repo_.work() + "/.git/modules/sub/index";
  const std::string kept = repo_.path("kept");
  std::filesystem::copy_file(index, kept);
  testing::write_whole_file(index, "damaged");
  Result<Repository> repository = discover(repo_.work());
  ASSERT_TRUE(repository.ok());
  const std::unique_ptr<Watcher> watcher = make_inotify_watcher([] {});
  WorktreeModel::Options options;
  options.watcher = watcher.get();
  options.trusted = false;
  WorktreeModel model(posix_file_system(), *repository, options);
  EXPECT_FALSE(model.scan().ok());
  EXPECT_FALSE(model.update().ok());
  EXPECT_FALSE(model.answer({}).ok());
  std::filesystem::rename(kept, index);
  repo_.write("sub/f", "22");
  const Result<StatusResult> status = model.answer({});
  ASSERT_TRUE(status.ok()) << status.error().message;
  ASSERT_EQ(status->changed.size(), 1u);
  EXPECT_EQ(status->changed[0].submodule, (SubmoduleState{false, true, false}));
}

TEST_F(UntrustedModelTest, AnExternalFilterIsNotRunAndSaidSo) {
  const std::string trace = repo_.path("ran");
  repo_.write(".gitattributes", "x filter=f\n");
  repo_.git({"config", "filter.f.clean", "touch '" + trace + "'; cat"});
  repo_.write("x", "1");
  repo_.git({"add", "-A"});
  std::filesystem::remove(trace);
  repo_.write("x", "2");  // The same size at another time: only its content can tell.
  Result<StatusResult> careful = ask(false);
  ASSERT_TRUE(careful.ok()) << careful.error().message;
  EXPECT_FALSE(std::filesystem::exists(trace));
  ASSERT_EQ(problems_.size(), 1u);
  EXPECT_NE(problems_[0].find("x: the content depends on a filter"), std::string::npos)
      << problems_[0];
}

}  // namespace
}  // namespace resident
