// Values for which git must answer. cases/config-values.test.ts checks that git really objects.
#include "porcelain/config_check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

namespace resident {
namespace {

using Value = std::optional<std::string>;

bool refuses(const std::string& key, const Value& value, const GitRules& rules = {}) {
  return git_may_refuse(Config::from_entries({{.key = key, .value = value}}), rules);
}

TEST(ConfigCheck, ValuesOfEveryday) {
  const std::pair<const char*, const char*> settings[] = {
      {"core.checkstat", "minimal"},
      {"core.whitespace", "trailing-space,-blank-at-eof"},
      {"core.fsmonitor", "true"},
      {"core.abbrev", "12"},
      {"core.commentstring", "//"},
      {"core.hookspath", "~/hooks"},
      {"color.ui", "auto"},
      {"diff.png.binary", "auto"},
      {"diff.png.textconv", "exif"},
      {"filter.lfs.required", "true"},
      {"branch.autosetupmerge", "simple"},
      {"branch.main.remote", "origin"},
      {"remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"},
      {"remote.origin.fetch", "^refs/heads/hidden"},
      {"remote.origin.push", "HEAD"},
      {"remote.origin.push", "refs/heads/*:refs/heads/*"},
      {"remote.origin.followremotehead", "create"},
      {"fetch.negotiationalgorithm", "skipping"},
      {"extensions.partialclone", "origin"},
      {"url.https://example.com/.insteadof", "ex:"}};
  for (const auto& [key, value] : settings) EXPECT_FALSE(refuses(key, value)) << key << value;
}

TEST(ConfigCheck, ValuesThatSomeGitRefusesOrWarnsOf) {
  const std::pair<const char*, Value> settings[] = {{"core.checkstat", "maybe"},
                                                    {"core.maxtreedepth", "100"},
                                                    {"core.whitespace", "tabwidth=99"},
                                                    {"core.commentstring", ""},
                                                    {"core.logallrefupdates", std::nullopt},
                                                    {"color.ui", "never,auto"},
                                                    {"diff.png.binary", "maybe"},
                                                    {"diff.orderfile", ""},
                                                    {"filter.lfs.clean", std::nullopt},
                                                    {"filter.lfs.required", "maybe"},
                                                    {"branch..remote", "origin"},
                                                    {"branch.main.remote", ""},
                                                    {"remote.origin.fetch", "a:b:"},
                                                    {"remote.origin.push", "^bad^"},
                                                    {"remote.origin.followremotehead", "maybe"},
                                                    {"remote.origin.promisor", "maybe"},
                                                    {"fetch.negotiationalgorithm", "maybe"},
                                                    {"extensions.partialclone", "/origin"},
                                                    {"attr.tree", "HEAD"},
                                                    {"index.version", "9"},
                                                    {"url.x.insteadof", std::nullopt}};
  for (const auto& [key, value] : settings) {
    EXPECT_TRUE(refuses(key, value)) << key << " = " << value.value_or("(none)");
  }
}

TEST(ConfigCheck, AMonitorThatIsOurs) {
  const std::string directory = ::testing::TempDir() + "config_check_monitor";
  const std::string program = directory + "/git-resident";
  std::filesystem::create_directories(directory + "/with space");
  std::filesystem::create_symlink("/bin/true", program);
  std::filesystem::create_symlink("/bin/true", directory + "/with space/git-resident");
  std::filesystem::create_symlink("/bin/true", directory + "/other");
  EXPECT_FALSE(refuses("core.fsmonitor", program));
  EXPECT_FALSE(
      refuses("core.fsmonitor", program, git_rules(*parse_git_version("git version 2.30.0"))));
  for (const std::string& value :
       {directory + "/other", directory + "/with space/git-resident", program + "x",
        directory + "/not/git-resident", std::string("git-resident"), program + " fsmonitor"}) {
    EXPECT_TRUE(refuses("core.fsmonitor", value)) << value;
  }
  std::filesystem::remove_all(directory);
}

TEST(ConfigCheck, WordsThatAnOlderGitDoesNotKnow) {
  const auto old = [](const char* version) { return git_rules(*parse_git_version(version)); };
  EXPECT_TRUE(refuses("core.abbrev", "no", old("git version 2.30.9")));
  EXPECT_FALSE(refuses("core.abbrev", "no", old("git version 2.31.0")));
  EXPECT_TRUE(refuses("branch.autosetupmerge", "inherit", old("git version 2.34.8")));
  EXPECT_FALSE(refuses("branch.autosetupmerge", "inherit", old("git version 2.35.0")));
  EXPECT_TRUE(refuses("branch.autosetupmerge", "simple", old("git version 2.36.6")));
  EXPECT_FALSE(refuses("branch.autosetupmerge", "simple", old("git version 2.37.0")));
  for (const Value& value : {Value("true"), Value("false"), Value()}) {
    EXPECT_TRUE(refuses("core.fsmonitor", value, old("git version 2.35.8")));
    EXPECT_FALSE(refuses("core.fsmonitor", value, old("git version 2.36.0")));
  }
  EXPECT_FALSE(refuses("core.fsmonitor", "", old("git version 2.35.8")));
  EXPECT_TRUE(refuses("remote.origin.fetch", "^refs/heads/x", old("git version 2.28.0")));
  EXPECT_TRUE(refuses("core.commentchar", "//", old("git version 2.44.4")));
  EXPECT_FALSE(refuses("core.commentchar", "Auto", old("git version 2.44.4")));
}

}  // namespace
}  // namespace resident
