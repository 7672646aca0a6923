// A model over file systems that claim other capabilities.
#include <gtest/gtest.h>

#include <filesystem>

#include "model/worktree_model.h"
#include "testing/counting_file_system.h"
#include "testing/hermetic_environment.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

TEST(ModelCapabilitiesTest, AFileMayReplaceALinkWhereTheSystemHasNoLinks) {
  testing::RepoBuilder repo;
  const testing::HermeticEnvironment environment(repo.root());
  repo.init();
  std::filesystem::create_symlink("target", repo.work() + "/link");
  repo.git({"add", "-A"});
  repo.git({"commit", "-q", "-m", "1"});
  std::filesystem::remove(repo.work() + "/link");
  repo.write("link", "target");
  for (const bool symbolic_links : {false, true}) {
    testing::CountingFileSystem fs({.symbolic_links = symbolic_links});
    const Result<Repository> repository = discover(repo.work());
    ASSERT_TRUE(repository.ok());
    WorktreeModel model(fs, *repository, {});
    ASSERT_TRUE(model.scan().ok());
    const Result<StatusResult> status = model.answer({});
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(status->changed.size(), symbolic_links ? 1u : 0u);
  }
}

}  // namespace
}  // namespace resident
