#include "verbs/client_identity.h"

#include <gtest/gtest.h>

#include "testing/hermetic_environment.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

class AskerTest : public ::testing::Test {
 protected:
  AskerTest() : environment_(repo_.root()) {
    repo_.init();
    repository_.worktree = repo_.work();
    repository_.git_dir = repo_.path("repo/.git");
    repository_.index_path = repo_.path("repo/.git/index");
  }

  bool has(const std::string& name, PlaceVariables places = PlaceVariables::kCounted) {
    return deciding_environment(repo_.work(), places).find(name + "=") != std::string::npos;
  }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
  Repository repository_;
};

TEST_F(AskerTest, PlaceVariablesCountUnlessThePlacesAreSent) {
  const ClientIdentity plain{.environment = deciding_environment(repo_.work())};
  environment_.set("GIT_DIR", ".git");
  environment_.set("GIT_WORK_TREE", ".");
  environment_.set("GIT_INDEX_FILE", ".git/index");
  EXPECT_TRUE(has("GIT_DIR") && has("GIT_WORK_TREE") && has("GIT_INDEX_FILE"));
  EXPECT_FALSE(has("GIT_DIR", PlaceVariables::kLeftOut));
  EXPECT_EQ(client_in(repo_.work(), repository_).git_dir, repo_.path("repo/.git"));
  EXPECT_TRUE(check_place(client_in(repo_.work(), repository_), repository_).ok());
  // Only the variables of this process lead to its repository.
  EXPECT_FALSE(check_place(plain, repository_).ok());
}

TEST_F(AskerTest, CountsWhatCanChangeAnAnswer) {
  for (const char* name : {"GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_OBJECT_DIRECTORY",
                           "GIT_ATTR_SOURCE", "GIT_NAMESPACE", "GIT_ADVICE", "GIT_SSH_COMMAND"}) {
    environment_.set(name, "1");
    EXPECT_TRUE(has(name)) << name;
  }
  for (const char* name : {"GIT_AUTHOR_NAME", "GIT_REFLOG_ACTION", "GIT_SEQUENCE_EDITOR",
                           "GIT_PS1_SHOWUPSTREAM", "GIT_TRACE2_EVENT", "GIT_PREFIX"}) {
    environment_.set(name, "1");
    EXPECT_FALSE(has(name)) << name;
  }
}

TEST_F(AskerTest, AnExecPathCountsWhereItHasAnotherGit) {
  environment_.set("GIT_EXEC_PATH", repo_.git_line({"--exec-path"}));
  EXPECT_FALSE(has("GIT_EXEC_PATH"));
  environment_.set("GIT_EXEC_PATH", repo_.root());
  EXPECT_FALSE(has("GIT_EXEC_PATH"));
  repo_.write("../git", "another");
  EXPECT_TRUE(has("GIT_EXEC_PATH"));
}

}  // namespace
}  // namespace resident
