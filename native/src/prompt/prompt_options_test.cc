#include "prompt/prompt_options.h"

#include <gtest/gtest.h>

#include "testing/value_of.h"

namespace resident {
namespace {

using testing::value_of;
using Action = PromptOptions::Action;
using Words = std::vector<std::string>;

PromptOptions parsed(const Words& words) {
  return value_of(parse_prompt_options(words));
}

TEST(PromptOptionsTest, AreGitstatusdsByDefault) {
  const PromptOptions options = parsed({});
  EXPECT_EQ(options.action, Action::kServe);
  EXPECT_EQ(options.idle, std::chrono::seconds(3600));
  EXPECT_EQ(options.limits, PromptLimits());
  EXPECT_EQ(options.query, PromptQuery());
  EXPECT_FALSE(options.lock_fd);
  EXPECT_FALSE(options.parent_pid);
  EXPECT_FALSE(options.trust);
}

// The arguments that the plugins for zsh and bash pass.
TEST(PromptOptionsTest, TakeWhatThePluginsSay) {
  const PromptOptions zsh =
      parsed({"-G",    "v1.5.*", "-s", "-1", "-u", "7",  "-d", "-1", "-c", "2",  "-m", "100",  "-v",
              "FATAL", "-t",     "8",  "-r", "-1", "-z", "10", "-l", "12", "-p", "34", "-eUWD"});
  EXPECT_EQ(zsh.limits, (PromptLimits{PromptLimits::kNone, 7, 2, PromptLimits::kNone, 100, 10}));
  EXPECT_EQ(zsh.query, (PromptQuery{true, true, true, true, true}));
  EXPECT_EQ(zsh.lock_fd, 12);
  EXPECT_EQ(zsh.parent_pid, 34);
  EXPECT_EQ(zsh.threads, 8u);
  EXPECT_EQ(zsh.idle, std::nullopt);
  EXPECT_FALSE(zsh.logs_errors);
  const PromptOptions bash =
      parsed({"-G", "v1.5.4", "--parent-pid=34", "--num-threads=4", "--max-num-staged=-1",
              "--max-num-unstaged", "7", "--max-num-conflicted=2", "--max-num-untracked=-1",
              "--dirty-max-index-size=100", "--repo-ttl-seconds=60", "--recurse-untracked-dirs",
              "--ignore-status-show-untracked-files", "--ignore-bash-show-untracked-files",
              "--ignore-bash-show-dirty-state", "--log-level=DEBUG", "--max-commit-sum=10"});
  EXPECT_EQ(bash.limits, zsh.limits);
  EXPECT_EQ(bash.query, zsh.query);
  EXPECT_EQ(bash.idle, std::chrono::seconds(60));
}

TEST(PromptOptionsTest, NegativeDescriptorsAndProcessesAreNone) {
  const PromptOptions options = parsed({"-l-1", "-p", "-1"});
  EXPECT_FALSE(options.lock_fd);
  EXPECT_FALSE(options.parent_pid);
}

TEST(PromptOptionsTest, HelpAndVersionEndTheLine) {
  EXPECT_EQ(parsed({"-V", "-Q"}).action, Action::kVersion);
  EXPECT_EQ(parsed({"--help"}).action, Action::kHelp);
}

TEST(PromptOptionsTest, AFormatIsPrintedOfADirectory) {
  EXPECT_EQ(parsed({"--format"}).format, kDefaultPromptFormat);
  const PromptOptions options = parsed({"--format=%(branch)", "--escape=zsh", "--", "-dir"});
  EXPECT_EQ(options.action, Action::kPrint);
  EXPECT_EQ(options.format, "%(branch)");
  EXPECT_EQ(options.reader, PromptReader::kZsh);
  EXPECT_EQ(options.directory, "-dir");
}

TEST(PromptOptionsTest, WhatIsWrongIsNamed) {
  const Words wrong[] = {
      {"-Q"},      {"--nothing"},         {"-s"},         {"-s", "x"},       {"-s", "1x"},
      {"-t", "0"}, {"-t", "-2"},          {"-v", "LOUD"}, {"-p", "1e9"},     {"-l99999999999"},
      {"word"},    {"--max-num=1"},       {"-e=1"},       {"--escape=fish"}, {"--trust=yes"},
      {"-s", ""},  {"--format", "a", "b"}};
  for (const Words& words : wrong) {
    const auto options = parse_prompt_options(words);
    ASSERT_FALSE(options.ok()) << words[0];
    EXPECT_EQ(options.error().code, ErrorCode::kInvalid);
    EXPECT_FALSE(options.error().message.empty());
  }
}

}  // namespace
}  // namespace resident
