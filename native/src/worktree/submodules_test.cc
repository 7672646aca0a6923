#include "worktree/submodules.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fs/posix_file_system.h"
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
  SubmoduleState look() {
    auto look =
        look_at_submodule(posix_file_system(), repo_.path("sub"), id_, ask_git_in_submodule);
    EXPECT_TRUE(look.ok()) << look.error().message;
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
  auto look =
      look_at_submodule(posix_file_system(), repo_.path("nothing"), id_, ask_git_in_submodule);
  ASSERT_TRUE(look.ok());
  EXPECT_EQ(look->state, SubmoduleState{});
}

TEST_F(SubmodulesTest, NamesWhatItsAnswerDependsOn) {
  auto look = look_at_submodule(posix_file_system(), repo_.path("sub"), id_, ask_git_in_submodule);
  ASSERT_TRUE(look.ok());
  for (const char* name :
       {"sub/.git", "sub/.git/HEAD", "sub/.git/index", "sub/.git/refs/heads/main"}) {
    EXPECT_NE(std::find(look->files.begin(), look->files.end(), repo_.path(name)),
              look->files.end())
        << name;
  }
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
    auto loaded = SubmoduleIgnores::load(posix_file_system(), repo_.work(),
                                         Config::from_entries(std::move(entries)));
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

}  // namespace
}  // namespace resident
