#include "porcelain/colors.h"

#include <gtest/gtest.h>

#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

// Compares the sequence of each value with git.
TEST(ParseColor, ReadsWhatGitReads) {
  RepoBuilder repo;
  repo.init();
  for (std::string value : {"red",
                            "RED",
                            "bold red",
                            "red bold",
                            "red blue",
                            "red blue green",
                            "normal red",
                            "normal",
                            "default",
                            "default default",
                            "bright red",
                            "brightred",
                            "brightblue brightgreen",
                            "brightdefault",
                            "#ff00AA",
                            "#ff00A",
                            "#gg0000",
                            "200",
                            "7",
                            "15",
                            "16",
                            "255",
                            "256",
                            "-1",
                            "-2",
                            "+5",
                            "1x",
                            "bold dim italic ul blink reverse strike",
                            "nobold",
                            "no-bold nodim",
                            "no-red",
                            "BOLD",
                            "reset",
                            "reset red",
                            "red reset bold",
                            "reset normal",
                            "  red   blue  ",
                            "",
                            " ",
                            "nothing",
                            "bold bold",
                            "no",
                            "no-",
                            "ul no-ul 3 5",
                            "08"}) {
    repo.git({"config", "test.color", value});
    auto answer = repo.try_git({"config", "--get-color", "test.color", "normal"});
    std::optional<std::string> expected;
    if (answer.exit_code == 0) expected = answer.out;
    EXPECT_EQ(parse_color(value), expected) << "'" << value << "'";
  }
}

Config config_of(std::vector<ConfigEntry> entries) {
  return Config::from_entries(std::move(entries));
}

TEST(Palette, TakesTheLastOfBothSpellings) {
  auto palette = palette_from(config_of({{"color.status.added", "red"},
                                         {"status.color.updated", "blue"},
                                         {"color.status.localbranch", "cyan"},
                                         {"color.status.nosuchslot", "oops"}}));
  ASSERT_TRUE(palette.has_value());
  EXPECT_EQ(palette->updated, "\033[34m");
  EXPECT_EQ(palette->local_branch, "\033[36m");
  EXPECT_EQ(palette->remote_branch, "\033[31m");
  EXPECT_EQ(palette_from(config_of({{"color.status.added", "oops"}})), std::nullopt);
  EXPECT_EQ(palette_from(config_of({{"color.status.added", std::nullopt}})), std::nullopt);
}

TEST(ColorChoice, PrefersTheStatusKey) {
  EXPECT_EQ(color_choice_from(config_of({})), ColorChoice::kAuto);
  EXPECT_EQ(color_choice_from(config_of({{"color.ui", "never"}})), ColorChoice::kNever);
  EXPECT_EQ(color_choice_from(config_of({{"color.ui", "always"}, {"color.status", "false"}})),
            ColorChoice::kNever);
  EXPECT_EQ(color_choice_from(config_of({{"color.status", "always"}, {"color.ui", "no"}})),
            ColorChoice::kAlways);
  EXPECT_EQ(color_choice_from(config_of({{"color.status", "true"}})), ColorChoice::kAuto);
  EXPECT_EQ(color_choice_from(config_of({{"color.status", "sometimes"}})), std::nullopt);
}

}  // namespace
}  // namespace resident
