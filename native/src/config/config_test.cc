#include "config/config.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "config/config_value.h"
#include "fs/linux/posix_file_system.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

class ConfigTest : public ::testing::Test {
 protected:
  ConfigTest() {
    repo_.set_environment("HOME", repo_.root());
    ::setenv("HOME", repo_.root().c_str(), 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    ::unsetenv("XDG_CONFIG_HOME");
    ::unsetenv("GIT_CONFIG_GLOBAL");
    ::unsetenv("GIT_CONFIG_COUNT");
    repo_.init();
  }

  ConfigPlace place() const {
    return {repo_.work(), repo_.work(), repo_.work() + "/.git", repo_.work() + "/.git"};
  }
  Result<Config> load() { return Config::load(posix_file_system(), place()); }
  // Loads when no file can have been written in the same tick of the clock.
  Config settled() {
    for (;;) {
      auto config = load();
      EXPECT_TRUE(config.ok()) << config.error().message;
      if (config->is_fresh(posix_file_system())) return *std::move(config);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  bool depends_on(const Config& config, const std::string& path) {
    auto files = config.files();
    return std::find(files.begin(), files.end(), path) != files.end();
  }

  RepoBuilder repo_;
};

TEST_F(ConfigTest, TellsTheLastValueAllValuesScopeAndFile) {
  testing::write_whole_file(repo_.path(".gitconfig"), "[A \"Sub.Key\"]\n\tName = one\n");
  repo_.git({"config", "--add", "a.Sub.Key.NAME", "two\nlines = x"});
  auto config = load();
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->get("A.Sub.Key.nAmE"), "two\nlines = x");
  EXPECT_EQ(config->get_all("a.Sub.Key.name"),
            (std::vector<std::string_view>{"one", "two\nlines = x"}));
  EXPECT_EQ(config->get("a.sub.key.name"), std::nullopt);
  const ConfigEntry* last = config->find("a.Sub.Key.name");
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->scope, ConfigScope::kLocal);
  EXPECT_EQ(last->file, repo_.work() + "/.git/config");
}

TEST_F(ConfigTest, TellsAVariableWithoutValueFromAnEmptyOne) {
  repo_.write(".git/config", "[a]\n\tbare\n\tempty =\n");
  auto config = load();
  ASSERT_TRUE(config.ok());
  EXPECT_FALSE(config->find("a.bare")->value.has_value());
  EXPECT_EQ(config->get_bool("a.bare"), true);
  EXPECT_EQ(config->get("a.empty"), "");
  EXPECT_EQ(config->get_bool("a.empty"), false);
}

// Asks git for each text as boolean and as number.
TEST_F(ConfigTest, ReadsBooleansAndNumbersAsGitDoes) {
  for (std::string text : {"true",       "TRUE", "Yes", "on",  "false", "No",   "oFF", "",
                           "0",          "1",    "-1",  "2k",  "2K",    "3m",   "1g",  "2g",
                           "0x10",       "010",  "08",  "12a", "kk",    "k",    "t",   "1kb",
                           "9999999999", "-5",   "+5",  "1 k", "none",  "null", "1.5", "2147483647",
                           "2147483648", "0x",   "--1", "1 ",  "truee"}) {
    repo_.git({"config", "x.y", text});
    auto as_git = [&](const char* type) -> std::optional<std::string> {
      auto answer = repo_.try_git({"config", "--type", type, "x.y"});
      if (answer.exit_code != 0) return std::nullopt;
      return answer.out.substr(0, answer.out.size() - 1);
    };
    std::optional<std::string> flag, number;
    if (auto ours = parse_config_bool(text)) flag = *ours ? "true" : "false";
    if (auto ours = parse_config_int(text)) number = std::to_string(*ours);
    EXPECT_EQ(flag, as_git("bool")) << "'" << text << "'";
    EXPECT_EQ(number, as_git("int")) << "'" << text << "'";
  }
  EXPECT_EQ(parse_config_bool("-2g"), std::nullopt) << "git refuses it before 2.50, and is asked";
}

TEST_F(ConfigTest, ExpandsPathsAsGitDoes) {
  for (std::string text : {"~/x", "~", "~root/x", "~nosuchuser/x", "plain", "/abs/x", "a~/b"}) {
    repo_.git({"config", "x.y", text});
    std::optional<std::string> expected;
    auto answer = repo_.try_git({"config", "--type", "path", "x.y"});
    if (answer.exit_code == 0) expected = answer.out.substr(0, answer.out.size() - 1);
    auto config = load();
    ASSERT_TRUE(config.ok());
    EXPECT_EQ(config->get_path("x.y"), expected) << text;
  }
}

TEST_F(ConfigTest, HonoursTheEnvironment) {
  ::setenv("GIT_CONFIG_COUNT", "1", 1);
  ::setenv("GIT_CONFIG_KEY_0", "core.quotePath", 1);
  ::setenv("GIT_CONFIG_VALUE_0", "false", 1);
  auto config = load();
  ::unsetenv("GIT_CONFIG_COUNT");
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->get_bool("core.quotePath"), false);
  EXPECT_EQ(config->find("core.quotepath")->scope, ConfigScope::kCommand);
  EXPECT_EQ(config->find("core.quotepath")->file, "");
}

TEST_F(ConfigTest, ABadLineIsGitsMessage) {
  repo_.write(".git/config", "[core]\n\tbare = false\n[oops\n");
  auto config = load();
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error().code, ErrorCode::kCorrupt);
  EXPECT_NE(config.error().message.find("bad config line 3 in file"), std::string::npos)
      << config.error().message;
}

TEST_F(ConfigTest, KnowsTheFilesThatDoNotExistYet) {
  Config config = settled();
  for (std::string path : {repo_.path(".gitconfig"), repo_.path(".config/git/config"),
                           repo_.work() + "/.git/config.worktree"}) {
    EXPECT_TRUE(depends_on(config, path)) << path;
  }
  testing::write_whole_file(repo_.path(".gitconfig"), "");
  EXPECT_FALSE(config.is_fresh(posix_file_system()));
}

TEST_F(ConfigTest, KnowsIncludesThatExistAndThatDoNot) {
  repo_.write(".git/config",
              "[include]\n\tpath = there\n\tpath = ~/missing\n"
              "[includeIf \"gitdir:/never/\"]\n\tpath = ../not-now\n");
  repo_.write(".git/there", "[include]\n\tpath = nested\n[a]\n\tb = 1\n");
  EXPECT_EQ(settled().get("a.b"), "1");
  Config config = settled();
  for (std::string path : {repo_.work() + "/.git/there", repo_.work() + "/.git/nested",
                           repo_.path("missing"), repo_.work() + "/.git/../not-now"}) {
    EXPECT_TRUE(depends_on(config, path)) << path;
  }
  repo_.write(".git/nested", "[a]\n\tb = 2\n");
  EXPECT_FALSE(config.is_fresh(posix_file_system()));
  EXPECT_EQ(settled().get("a.b"), "1");
  repo_.write(".git/there", "[a]\n\tb = 1\n[include]\n\tpath = nested\n");
  EXPECT_EQ(settled().get("a.b"), "2");
}

TEST_F(ConfigTest, SeesAChangeOfTheSameSizeInTheSameTick) {
  for (int round = 0; round < 20; ++round) {
    repo_.write(".git/config", "[a]\n\tb = 1\n");
    auto config = load();
    ASSERT_TRUE(config.ok());
    repo_.write(".git/config", "[a]\n\tb = 2\n");
    EXPECT_FALSE(config->is_fresh(posix_file_system()));
  }
}

TEST_F(ConfigTest, KnowsThatABranchConditionDependsOnHead) {
  EXPECT_FALSE(depends_on(settled(), repo_.work() + "/.git/HEAD"));
  repo_.write(".git/more", "[a]\n\tb = 1\n");
  repo_.git({"config", "includeIf.onbranch:main.path", "more"});
  Config config = settled();
  EXPECT_TRUE(depends_on(config, repo_.work() + "/.git/HEAD"));
  EXPECT_EQ(config.get("a.b"), "1");
  repo_.git({"symbolic-ref", "HEAD", "refs/heads/other"});
  EXPECT_FALSE(config.is_fresh(posix_file_system()));
  EXPECT_EQ(settled().get("a.b"), std::nullopt);
}

TEST(ConfigKey, KeepsTheSubsection) {
  EXPECT_EQ(canonical_config_key("Core.QuotePath"), "core.quotepath");
  EXPECT_EQ(canonical_config_key("Branch.Main.X.Merge"), "branch.Main.X.merge");
  EXPECT_EQ(canonical_config_key("Plain"), "plain");
}

}  // namespace
}  // namespace resident
