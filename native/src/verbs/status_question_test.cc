// A question with git's options waits for the config that decides their meaning. The test decides
// when git answers.
#include "verbs/status_question.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "git/git_program.h"
#include "testing/fake_git_runner.h"
#include "testing/fake_watcher.h"
#include "testing/hermetic_environment.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

class StatusQuestionTest : public ::testing::Test {
 protected:
  StatusQuestionTest() : environment_(repo_.root()) {
    repo_.init();
    repo_.git({"commit", "-q", "--allow-empty", "-m", "1"});
    repo_.write("new", "1");
    auto found = discover(repo_.work());
    EXPECT_TRUE(found.ok());
    WorktreeModel::Options options;
    options.watcher = &watcher_;
    options.git = runner_;
    model_ = std::make_unique<WorktreeModel>(posix_file_system(), *found, options);
    question_.client.environment = deciding_environment(repo_.work());
    question_.client.git = identity_of(*git_on_path());
  }

  Result<StatusReply> ask(WorktreeModel::RequestId asked) {
    const WorktreeModel::Asking asking(*model_, asked);
    RESIDENT_TRY(const StatusAnswer answer,
                 answer_status(question_, model_->update(), *model_, gits_));
    return decode_reply(encode_reply(answer));
  }
  bool is_pending(const Result<StatusReply>& reply) {
    return !reply.ok() && reply.error().code == ErrorCode::kPending;
  }
  // Returns the answer's text after all git requests. `waited`: true if the question was pending.
  std::string ask_until_answered(bool& waited) {
    const auto asked = model_->next_request();
    Result<StatusReply> reply = ask(asked);
    for (waited = is_pending(reply); is_pending(reply); reply = ask(asked)) {
      if (runner_->answer_all() == 0) return "it waits for nobody";
    }
    return reply.ok() ? reply->text : reply.error().message;
  }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
  testing::FakeWatcher watcher_{posix_file_system()};
  const std::shared_ptr<testing::FakeGitRunner> runner_ =
      std::make_shared<testing::FakeGitRunner>();
  std::unique_ptr<WorktreeModel> model_;
  StatusQuestion question_;
  ClientGits gits_;
};

TEST_F(StatusQuestionTest, WaitsForTheConfigThatWasWrittenBeforeIt) {
  bool waited = false;
  EXPECT_NE(ask_until_answered(waited).find("Untracked files:"), std::string::npos);
  EXPECT_TRUE(waited);
  repo_.git({"config", "status.short", "true"});
  EXPECT_EQ(ask_until_answered(waited), "?? new\n");
  EXPECT_TRUE(waited);
}

TEST_F(StatusQuestionTest, PlacesAreTheSameByEveryName) {
  bool waited = false;
  repo_.git({"config", "status.short", "true"});
  std::filesystem::create_directory_symlink(repo_.path("repo/.git"), repo_.path("link"));
  ClientIdentity& client = question_.client;
  const std::string git = client.git;
  client = client_in(repo_.work(), model_->repository());
  client.git = git;
  EXPECT_EQ(ask_until_answered(waited), "?? new\n");
  client.git_dir = repo_.path("link");
  client.index_path = repo_.path("link/index");
  EXPECT_EQ(ask_until_answered(waited), "?? new\n");
  for (const char* other : {"link/index.lock", "repo/index"}) {
    client.index_path = repo_.path(other);
    EXPECT_NE(ask_until_answered(waited).find("a different index"), std::string::npos);
  }
  client.git_dir = repo_.work();
  EXPECT_NE(ask_until_answered(waited).find("a different git directory"), std::string::npos);
}

}  // namespace
}  // namespace resident
