#include "verbs/git_monitor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "fs/real_path.h"
#include "os/unique_fd.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using ChangesFor = WorktreeModel::ChangesFor;

// A process named git that waits in a directory.
class WaitingGit {
 public:
  WaitingGit(const std::string& directory, std::vector<std::string> variables) {
    int input[2], output[2];
    EXPECT_EQ(::pipe2(input, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(output, O_CLOEXEC), 0);
    input_ = UniqueFd(input[1]);
    const UniqueFd its_input(input[0]), answer(output[0]);
    UniqueFd its_output(output[1]);
    std::vector<char*> environment;
    for (std::string& variable : variables) environment.push_back(variable.data());
    environment.push_back(nullptr);
    process_ = ::fork();
    if (process_ == 0) {
      char program[] = "git", word[] = "-";
      char* const words[] = {program, word, nullptr};
      if (::chdir(directory.c_str()) == 0 && ::dup2(its_input.get(), STDIN_FILENO) == 0 &&
          ::dup2(its_output.get(), STDOUT_FILENO) == STDOUT_FILENO) {
        ::execve("/bin/cat", words, environment.data());
      }
      ::_exit(127);
    }
    its_output.reset();
    // A process that is just starting has no variables yet.
    char byte = 'x';
    EXPECT_EQ(::write(input_.get(), &byte, 1), 1);
    EXPECT_EQ(::read(answer.get(), &byte, 1), 1);
  }
  ~WaitingGit() {
    input_.reset();
    EXPECT_EQ(::waitpid(process_, nullptr, 0), process_);
  }
  pid_t id() const { return process_; }

 private:
  UniqueFd input_;
  pid_t process_ = 0;
};

class GitMonitorTest : public ::testing::Test {
 protected:
  std::optional<ChangesQuestion> question(std::vector<std::string> variables) {
    const WaitingGit git(files_.root(), std::move(variables));
    return monitor_question_of(git.id(), "token");
  }

  testing::RepoBuilder files_;  // for its temporary directory
};

TEST_F(GitMonitorTest, AnAnswerIsATokenAndNames) {
  EXPECT_EQ(monitor_answer({false, "t", {"a", "d/"}}), std::string("t\0a\0d/\0", 7));
  EXPECT_EQ(monitor_answer({false, "t", {}}), std::string("t\0", 2));
  EXPECT_EQ(monitor_answer({true, "t", {}}), std::string("t\0/\0", 4));
  EXPECT_EQ(monitor_answer(everything_changed()), std::string("resident:none\0/\0", 16));
}

TEST_F(GitMonitorTest, WhatItStagesItselfIsToldToWhoDoesNot) {
  EXPECT_EQ(asker_of(std::string("git\0status\0", 11)), ChangesFor::kGitKeepingModules);
  EXPECT_EQ(asker_of(std::string("git\0mv\0a\0b\0", 11)), ChangesFor::kGit);
  EXPECT_EQ(asker_of(""), ChangesFor::kGit);
}

TEST_F(GitMonitorTest, AQuestionIsOfWhereTheProcessStands) {
  const auto asked = question({"PATH=/bin", "GIT_INDEX_FILES=x", "XGIT_INDEX_FILE=y"});
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->token, "token");
  EXPECT_EQ(asked->worktree, real_path(files_.root()));
  EXPECT_EQ(asked->index_file, "");
  EXPECT_EQ(asked->git_dir, "");
  EXPECT_EQ(asked->whom, ChangesFor::kGit);
}

TEST_F(GitMonitorTest, AndOfItsIndex) {
  files_.write("d/index", "");
  const std::string root = real_path(files_.root());
  EXPECT_EQ(question({"GIT_INDEX_FILE=d/other"})->index_file, root + "/d/other");
  EXPECT_EQ(question({"GIT_INDEX_FILE=" + root + "/d/../d/index"})->index_file, root + "/d/index");
  EXPECT_EQ(question({"GIT_INDEX_FILE=other"})->index_file, root + "/other");
  EXPECT_FALSE(question({"GIT_INDEX_FILE=not/there"}));
}

TEST_F(GitMonitorTest, NobodyElseIsKnown) {
  EXPECT_FALSE(question({"RESIDENT_GIT_ASKS=1"}));
  EXPECT_FALSE(monitor_question_of(0, "token"));
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(gone, nullptr, 0), gone);
  EXPECT_FALSE(monitor_question_of(gone, "token"));
}

TEST_F(GitMonitorTest, AVeryLongEnvironmentIsNotLookedThrough) {
  std::vector<std::string> variables;
  for (int i = 0; i < 12; ++i) variables.push_back("V=" + std::string(100'000, 'x'));
  EXPECT_FALSE(question(variables));
  variables.resize(6);
  variables.push_back("GIT_INDEX_FILE=other");
  EXPECT_EQ(question(variables)->index_file, real_path(files_.root()) + "/other");
}

}  // namespace
}  // namespace resident
