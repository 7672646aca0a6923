#include "submodule/submodules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "submodule/submodule_files.h"
#include "testing/hermetic_environment.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

class SubmodulesTest : public ::testing::Test {
 protected:
  SubmodulesTest() : environment_(repo_.root()) {
    repo_.init({}, "sub");
    repo_.write("f", "1");
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "1"});
    id_ = *ObjectId::from_hex(repo_.git_line({"rev-parse", "HEAD"}));
  }
  Result<SubmoduleLook> look_at(const std::string& path) {
    if (auto known = examine_without_git(posix_file_system(), path)) return *known;
    RESIDENT_TRY(const GitOutput said, run_git(submodule_status_command(path)));
    RESIDENT_TRY(const StatusResult status, submodule_status(path, said));
    return examine_by_status(path, id_, status);
  }
  SubmoduleState look() {
    auto look = look_at(repo_.path("sub"));
    EXPECT_TRUE(look.ok()) << look.error().message;
    EXPECT_FALSE(look->git_warns);
    return look.ok() ? look->state : SubmoduleState{};
  }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
  ObjectId id_;
};

TEST_F(SubmodulesTest, EachPartOfItsState) {
  EXPECT_EQ(look(), SubmoduleState{});
  repo_.write("new", "1");
  EXPECT_EQ(look(), (SubmoduleState{false, false, true}));
  repo_.write("f", "22");
  EXPECT_EQ(look(), (SubmoduleState{false, true, true}));
  repo_.git({"add", "-A"});
  EXPECT_EQ(look(), (SubmoduleState{false, true, false}));
  repo_.git({"commit", "-q", "-m", "2"});
  EXPECT_EQ(look(), (SubmoduleState{true, false, false}));
}

TEST_F(SubmodulesTest, NoRepositoryIsUnchanged) {
  auto look = look_at(repo_.path("nothing"));
  ASSERT_TRUE(look.ok());
  EXPECT_EQ(look->state, SubmoduleState{});
  EXPECT_FALSE(look->git_warns);
}

TEST_F(SubmodulesTest, OneOfAnotherHashIsGitsToCompare) {
  id_ = *ObjectId::from_hex(std::string(64, '1'));
  const auto look = look_at(repo_.path("sub"));
  ASSERT_FALSE(look.ok());
  EXPECT_EQ(look.error().code, ErrorCode::kUnsupported);
}

void expect_named(const SubmoduleFiles& files, const std::string& wanted) {
  const bool named =
      std::any_of(files.paths.begin(), files.paths.end(), [&](const std::string& path) {
        return std::filesystem::path(path).lexically_normal() == wanted;
      });
  EXPECT_TRUE(named) << wanted;
}

TEST_F(SubmodulesTest, NamesWhatItsAnswerDependsOn) {
  repo_.init({}, "lib");
  repo_.write("g", "1");
  repo_.git({"add", "-A"});
  repo_.git({"commit", "-q", "-m", "1"});
  repo_.git({"-C", repo_.path("sub"), "-c", "protocol.file.allow=always", "submodule", "add", "-q",
             repo_.path("lib"), "deep/lib"});
  const SubmoduleFiles files =
      submodule_files(posix_file_system(), repo_.path("sub"), HashAlgorithm::kSha1);
  EXPECT_TRUE(files.complete);
  for (const char* name :
       {"sub/.git", "sub/.git/HEAD", "sub/.git/index", "sub/.git/refs/heads/main",
        "sub/deep/lib/.git", "sub/.git/modules/deep/lib/HEAD", "sub/.git/modules/deep/lib/index",
        "sub/.git/modules/deep/lib/refs/heads/main"}) {
    expect_named(files, repo_.path(name));
  }
}

TEST_F(SubmodulesTest, NamesWhatIsNotThereYet) {
  repo_.git({"config", "core.excludesFile", "ignored"});
  repo_.git({"config", "--file", ".git/config.worktree", "core.attributesFile", "/attributes"});
  repo_.git({"symbolic-ref", "HEAD", "refs/heads/alias"});
  repo_.git({"symbolic-ref", "refs/heads/alias", "refs/worktree/own"});
  const SubmoduleFiles files =
      submodule_files(posix_file_system(), repo_.path("sub"), HashAlgorithm::kSha1);
  EXPECT_TRUE(files.complete);
  expect_named(files, repo_.path("sub/ignored"));
  expect_named(files, "/attributes");
  for (const char* name : {"config.worktree", "commondir", "info/grafts", "refs/replace/",
                           "refs/heads/alias", "refs/worktree/own"}) {
    expect_named(files, repo_.path("sub/.git/") + name);
  }
}

TEST_F(SubmodulesTest, NamesWhatItsConfigIncludesThoughItMayNameOthers) {
  repo_.git({"config", "include.path", "more"});
  repo_.git({"config", "includeIf.onbranch:x.path", "/most"});
  const SubmoduleFiles files =
      submodule_files(posix_file_system(), repo_.path("sub"), HashAlgorithm::kSha1);
  EXPECT_FALSE(files.complete);
  expect_named(files, repo_.path("sub/.git/more"));
  expect_named(files, "/most");
}

TEST_F(SubmodulesTest, NamesWhatMakesAGitDirectoryOfWhereItsFileLeads) {
  std::filesystem::rename(repo_.path("sub/.git"), repo_.path("away"));
  repo_.write(".git", "gitdir: ../modules/sub\n");
  const SubmoduleFiles files =
      submodule_files(posix_file_system(), repo_.path("sub"), HashAlgorithm::kSha1);
  EXPECT_TRUE(files.complete);
  for (const char* name : {"HEAD", "objects", "refs", "commondir"}) {
    expect_named(files, repo_.path("modules/sub/") + name);
  }
}

TEST_F(SubmodulesTest, AnExcludesFileThatIsNotPlainlyNamedIsNotFound) {
  repo_.git({"config", "core.excludesFile", "with # a sign"});
  EXPECT_FALSE(
      submodule_files(posix_file_system(), repo_.path("sub"), HashAlgorithm::kSha1).complete);
}

TEST_F(SubmodulesTest, ALinkedWorktreesFilesAreInTwoPlaces) {
  repo_.git({"worktree", "add", "-q", "-b", "other", repo_.path("linked")});
  const SubmoduleFiles files =
      submodule_files(posix_file_system(), repo_.path("linked"), HashAlgorithm::kSha1);
  expect_named(files, repo_.path("sub/.git/worktrees/linked/index"));
  expect_named(files, repo_.path("sub/.git/refs/heads/other"));
}

TEST_F(SubmodulesTest, LinksThatLeadInACircleAreNotFollowed) {
  std::filesystem::create_directory_symlink(".", repo_.path("sub/again"));
  const std::string entry = "160000," + repo_.git_line({"rev-parse", "HEAD"}) + ",";
  repo_.git({"update-index", "--add", "--cacheinfo", entry + "again/again"});
  repo_.git({"update-index", "--add", "--cacheinfo", entry + "again/more"});
  std::filesystem::create_directory_symlink(".", repo_.path("sub/more"));
  const SubmoduleFiles files =
      submodule_files(posix_file_system(), repo_.path("sub"), HashAlgorithm::kSha1);
  EXPECT_LT(files.paths.size(), 20U);
}

TEST_F(SubmodulesTest, AnIndexThatCannotBeReadMayHideOthers) {
  repo_.write(".git/index", "DIRC and no more");
  EXPECT_FALSE(
      submodule_files(posix_file_system(), repo_.path("sub"), HashAlgorithm::kSha1).complete);
}

TEST_F(SubmodulesTest, TheSuperprojectsEnvironmentDoesNotReachIt) {
  repo_.write("new", "1");
  environment_.set("GIT_DIR", repo_.path("elsewhere"));
  environment_.set("GIT_INDEX_FILE", repo_.path("elsewhere/index"));
  EXPECT_EQ(look(), (SubmoduleState{false, false, true}));
}

TEST_F(SubmodulesTest, WhatIsIgnored) {
  const SubmoduleState all{true, true, true};
  repo_.init({}, "super");
  repo_.write(".gitmodules",
              "[submodule \"a\"]\n\tpath = a\n\tignore = all\n[submodule \"b\"]\n\tpath = "
              "b\n\tignore = dirty\n"
              "[submodule \"c\"]\n\tpath = c\n\tignore = untracked\n[submodule \"d\"]\n\tpath = d\n"
              "[submodule \"e.f\"]\n\tpath = e f\n\tignore = all\n");
  auto load = [&](std::vector<ConfigEntry> entries) {
    auto loaded =
        SubmoduleIgnores::load(posix_file_system(), repo_.work(), repo_.work() + "/.git",
                               Config::from_entries(std::move(entries)), StoredGitmodules::kNone);
    EXPECT_TRUE(loaded.ok());
    return std::move(loaded).value();
  };
  const SubmoduleIgnores ignores = load({{.key = "submodule.e.f.ignore", .value = "none"}});
  const StatusQuery query;
  EXPECT_EQ(ignores.visible("a", all, query), std::nullopt);
  EXPECT_EQ(ignores.visible("b", all, query), (SubmoduleState{true, false, false}));
  EXPECT_EQ(ignores.visible("c", all, query), (SubmoduleState{true, true, false}));
  EXPECT_EQ(ignores.visible("d", all, query), all);
  EXPECT_EQ(ignores.visible("e f", all, query), all) << "config goes before .gitmodules";

  StatusQuery none = query;
  none.ignore_submodules = IgnoreSubmodules::kNone;
  EXPECT_EQ(ignores.visible("a", all, none), all) << "the option goes before everything";

  const SubmoduleIgnores diff = load({{.key = "diff.ignoresubmodules", .value = "dirty"}});
  EXPECT_EQ(diff.visible("d", all, query), (SubmoduleState{true, false, false}));
  EXPECT_EQ(diff.visible("c", all, query), (SubmoduleState{true, true, false}));
}

TEST_F(SubmodulesTest, OfSeveralNamesOfOnePathTheLastCounts) {
  const SubmoduleState all{true, true, true};
  const StatusQuery query;
  const auto visible = [&](const std::string& path, const std::string& text) {
    repo_.write(".gitmodules", text);
    const auto ignores =
        SubmoduleIgnores::load(posix_file_system(), repo_.work(), repo_.work() + "/.git",
                               Config::from_entries({}), StoredGitmodules::kNone);
    EXPECT_TRUE(ignores.ok());
    return ignores->visible(path, all, query);
  };
  const std::string z = "[submodule \"z\"]\n\tpath = p\n\tignore = all\n";
  const std::string a = "[submodule \"a\"]\n\tpath = p\n";
  EXPECT_EQ(visible("p", z + a), all);
  EXPECT_EQ(visible("p", a + z), std::nullopt);
  EXPECT_EQ(visible("p", z + a + "\tpath = q\n"), all) << "whose place it took is not there again";
}

TEST_F(SubmodulesTest, NamesWhatHoldsInEveryRepository) {
  testing::write_whole_file(repo_.path("unread"), "[core]\n\texcludesFile = /patterns\n");
  const FilesAroundSubmodules around = {.paths = {"/config", "attributes"},
                                        .unread_configs = {repo_.path("unread")}};
  SubmoduleFiles files =
      submodule_files(posix_file_system(), repo_.path("sub"), HashAlgorithm::kSha1, around);
  EXPECT_TRUE(files.complete);
  for (const std::string& file : {std::string("/config"), repo_.path("sub/attributes"),
                                  repo_.path("unread"), std::string("/patterns")}) {
    expect_named(files, file);
  }
  testing::write_whole_file(repo_.path("unread"), "[include]\n\tpath = more\n");
  files = submodule_files(posix_file_system(), repo_.path("sub"), HashAlgorithm::kSha1, around);
  EXPECT_FALSE(files.complete);
  expect_named(files, repo_.path("more"));
}

TEST_F(SubmodulesTest, WhatGitSaysOfGitmodules) {
  repo_.init({}, "super");
  repo_.write("f", "");
  const auto load = [&](StoredGitmodules stored) {
    return SubmoduleIgnores::load(posix_file_system(), repo_.work(), repo_.work() + "/.git",
                                  Config::from_entries({}), stored);
  };
  const auto speaks = [&](StoredGitmodules stored) {
    const auto loaded = load(stored);
    EXPECT_TRUE(loaded.ok());
    return loaded.ok() && loaded->git_warns();
  };
  EXPECT_FALSE(speaks(StoredGitmodules::kNone));
  repo_.write(".gitmodules", "[submodule \"a\"]\n\tpath = a\n\tbranch\n");
  EXPECT_TRUE(speaks(StoredGitmodules::kNone));
  repo_.write(".gitmodules", "[broken\n");
  EXPECT_EQ(load(StoredGitmodules::kNone).error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(speaks(StoredGitmodules::kUnmerged)) << "nobody reads it";
  repo_.git({"add", "-A"});
  repo_.git({"commit", "-q", "-m", "1"});
  std::filesystem::remove(repo_.work() + "/.gitmodules");
  EXPECT_TRUE(speaks(StoredGitmodules::kIndex));
  EXPECT_TRUE(speaks(StoredGitmodules::kHead));
  EXPECT_FALSE(speaks(StoredGitmodules::kNone));
  std::filesystem::create_directory(repo_.work() + "/.gitmodules");
  EXPECT_TRUE(speaks(StoredGitmodules::kNone));
}

}  // namespace
}  // namespace resident
