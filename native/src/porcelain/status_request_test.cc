// Compares command lines with git: whether git accepts them, and its output.
#include "porcelain/status_request.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "fs/linux/posix_file_system.h"
#include "service/scan.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;
using Arguments = RepoBuilder::Arguments;

class StatusRequestTest : public ::testing::Test {
 protected:
  StatusRequestTest() {
    ::setenv("HOME", repo_.root().c_str(), 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    ::setenv("LC_ALL", "C", 1);
    repo_.init();
  }

  void fill() {
    repo_.write("old name", std::string(2000, 'x') + "\n");
    repo_.write("file", "1");
    repo_.write("sub/f", "1");
    repo_.write(".gitignore", "*.o\n");
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-qm", "x"});
    repo_.git({"branch", "up"});
    repo_.git({"config", "branch.main.remote", "."});
    repo_.git({"config", "branch.main.merge", "refs/heads/up"});
    repo_.write("file", "2");
    repo_.git({"stash", "-q"});
    repo_.git({"commit", "-qm", "y", "--allow-empty"});
    repo_.git({"mv", "old name", "new name"});
    repo_.write("new name", std::string(2000, 'x') + "\n" + std::string(500, 'y'));
    repo_.git({"add", "new name"});
    repo_.write("file", "3");
    repo_.write("a.o", "");
    repo_.write("objects/b.o", "");
    repo_.write("sub/new/g", "");
    repo_.write("\xc3\xa4", "");
  }

  // Our output, or "git" if git must answer.
  std::string ours(const Arguments& arguments, const std::string& directory,
                   const StatusSurroundings& surroundings = {}) {
    auto line = parse_status_command_line(arguments);
    if (!line || !line->options) return "git";
    auto repository = discover(directory);
    if (!repository.ok()) return "git";
    auto config = Config::load(posix_file_system(), {directory, repository->worktree,
                                                     repository->git_dir, repository->common_dir});
    if (!config.ok()) return "git";
    auto request = status_request(*line->options, *config, *repository, surroundings,
                                  current_git_rules().value());
    if (!request) return "git";
    std::unique_ptr<WorktreeModel> model;
    auto status = scan_status(posix_file_system(), *repository, *config, request->query, model);
    EXPECT_TRUE(status.ok()) << status.error().message;
    // The formats for scripts do not print an operation, and this repository has none.
    if (request->query.operation) status->operation.emplace();
    return print_status(*status, request->print);
  }

  // Returns true if we answer ourselves. Our output must then equal git's.
  bool expect_as_git(const Arguments& arguments, const std::string& directory) {
    repo_.enter(directory);
    Arguments command = {"status"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    auto git = repo_.try_git(command);
    std::string text = ours(arguments, repo_.work());
    if (text == "git") return false;
    EXPECT_EQ(git.exit_code, 0) << ::testing::PrintToString(arguments) << git.err;
    EXPECT_EQ(text, git.out) << ::testing::PrintToString(arguments);
    return true;
  }

  RepoBuilder repo_;
};

TEST_F(StatusRequestTest, TakesTheArgumentsThatGitTakes) {
  const std::vector<Arguments> lines = {{},
                                        {"-s"},
                                        {"--short"},
                                        {"--sho"},
                                        {"--shor"},
                                        {"--no-short"},
                                        {"--no-sho"},
                                        {"--no-shor"},
                                        {"-sb"},
                                        {"-sbz"},
                                        {"-sbuno"},
                                        {"-sbunormal"},
                                        {"-sbux"},
                                        {"-u"},
                                        {"-uall"},
                                        {"-u", "all"},
                                        {"-u=all"},
                                        {"--untracked-files"},
                                        {"--untracked-files=no"},
                                        {"--untracked=no"},
                                        {"--unt"},
                                        {"--no-untracked-files"},
                                        {"--untracked-files=x", "-uno"},
                                        {"-uno", "--untracked-files=x"},
                                        {"-ux", "--no-untracked-files"},
                                        {"--ignored"},
                                        {"--ignore"},
                                        {"--ignored=matching"},
                                        {"--ignored=matching", "-uno"},
                                        {"--ignored=x"},
                                        {"--ignored=no"},
                                        {"--no-ignored"},
                                        {"--ignored=x", "--no-ignored"},
                                        {"--ignore-submodules"},
                                        {"--ignore-submodules=none"},
                                        {"--ignore-s=dirty"},
                                        {"--no-ignore-submodules"},
                                        {"--renames"},
                                        {"--no-renames"},
                                        {"--ren"},
                                        {"--no-ren"},
                                        {"--no-re"},
                                        {"--r"},
                                        {"--no-r"},
                                        {"--no-no-renames"},
                                        {"--renames=1"},
                                        {"-M"},
                                        {"-M50%"},
                                        {"-M", "50"},
                                        {"--find-renames"},
                                        {"--find-renames=50"},
                                        {"--find"},
                                        {"--no-find-renames"},
                                        {"-M=30%"},
                                        {"-Mx"},
                                        {"--show-stash"},
                                        {"--show"},
                                        {"--no-show-stash"},
                                        {"--ahead-behind"},
                                        {"--no-ahead"},
                                        {"--ahead"},
                                        {"--a"},
                                        {"--long"},
                                        {"--lo"},
                                        {"-v"},
                                        {"-vv"},
                                        {"--verbose"},
                                        {"--no-verbose"},
                                        {"--verbose=1"},
                                        {"--column"},
                                        {"--no-column"},
                                        {"--porcelain"},
                                        {"--porcelain=v1"},
                                        {"--porcelain=1"},
                                        {"--porcelain=v2"},
                                        {"--porcelain=2"},
                                        {"--porcelain=v3"},
                                        {"--porcelain="},
                                        {"--por=v2"},
                                        {"--no-porcelain"},
                                        {"--porcelain", "v2"},
                                        {"-z"},
                                        {"--null"},
                                        {"--nul"},
                                        {"--no-null"},
                                        {"--n"},
                                        {"--no"},
                                        {"--no-"},
                                        {"--"},
                                        {"--", "x"},
                                        {"--end-of-options"},
                                        {"--end-of-options", "-s"},
                                        {"-"},
                                        {"x"},
                                        {"-s", "x", "-b"},
                                        {"-x"},
                                        {"-sx"},
                                        {"-h"},
                                        {"-sh"},
                                        {"--bogus"},
                                        {"-short"},
                                        {"-bra"},
                                        {"-no-x"},
                                        {"-nul"},
                                        {"-lon"},
                                        {"--s"},
                                        {"--b"},
                                        {"--branch=x"},
                                        {"--br"},
                                        {"--no-b"},
                                        {"--=x"},
                                        {"-z", "--long"},
                                        {"--short=yes"},
                                        {"-zsb", "--no-branch"},
                                        {"--git-completion-helper-x"},
                                        {"-szzz"},
                                        {"-bs", "-uall", "--ignored"}};
  for (const Arguments& arguments : lines) {
    Arguments command = {"status"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    auto git = repo_.try_git(command);
    auto line = parse_status_command_line(arguments);
    ASSERT_TRUE(line.has_value());
    // We leave two kinds to git: pairs that it refuses after it has read them all, and the words of
    // column.
    bool late = arguments == Arguments{"-z", "--long"} ||
                arguments == Arguments{"--ignored=matching", "-uno"};
    if (!late) {
      EXPECT_EQ(line->options.has_value(), git.exit_code == 0)
          << ::testing::PrintToString(arguments) << git.err;
    }
    if (git.exit_code != 0) {
      EXPECT_EQ(ours(arguments, repo_.work()), "git") << ::testing::PrintToString(arguments);
    }
  }
}

TEST_F(StatusRequestTest, AnswersRandomCommandLinesAsGitDoes) {
  fill();
  const std::vector<std::string> pool = {"-s",
                                         "--short",
                                         "--no-short",
                                         "-b",
                                         "--branch",
                                         "--no-branch",
                                         "--porcelain",
                                         "--porcelain=v2",
                                         "--porcelain=1",
                                         "--no-porcelain",
                                         "-z",
                                         "--no-null",
                                         "-uno",
                                         "-uall",
                                         "-unormal",
                                         "-u",
                                         "--no-untracked-files",
                                         "--ignored",
                                         "--ignored=matching",
                                         "--no-ignored",
                                         "--renames",
                                         "--no-renames",
                                         "-M",
                                         "-M90%",
                                         "-M5",
                                         "--find-renames=0.8",
                                         "--show-stash",
                                         "--no-show-stash",
                                         "--ahead-behind",
                                         "--no-ahead-behind",
                                         "--long",
                                         "--no-long",
                                         "-v",
                                         "--no-verbose",
                                         "--ignore-submodules=all",
                                         "-sb",
                                         "-bz",
                                         "--no-ignore-submodules"};
  std::mt19937 random(1);
  int answered = 0;
  for (int round = 0; round < 120; ++round) {
    Arguments arguments;
    for (size_t count = random() % 5; count > 0; --count) {
      arguments.push_back(pool[random() % pool.size()]);
    }
    if (expect_as_git(arguments, round % 3 == 0 ? "repo/sub" : "repo")) ++answered;
  }
  EXPECT_GT(answered, 80);
}

TEST_F(StatusRequestTest, AppliesTheConfigAsGitDoes) {
  fill();
  const std::vector<Arguments> configs = {
      {"status.short", "true"},
      {"status.branch", "true"},
      {"status.aheadBehind", "false"},
      {"status.showStash", "true"},
      {"status.showUntrackedFiles", "no"},
      {"status.showUntrackedFiles", "all"},
      {"status.relativePaths", "false"},
      {"status.renames", "false"},
      {"status.renames", "copies"},
      {"diff.renames", "false"},
      {"core.quotePath", "false"},
      {"color.status", "always"},
      {"color.status.localBranch", "bold magenta"},
      {"color.ui", "always"},
      {"color.ui", "never"},
      // Values that git refuses, and odd values that it accepts.
      {"status.short", "perhaps"},
      {"core.bigFileThreshold", "many"},
      {"diff.context", "-1"},
      {"status.showUntrackedFiles", "some"},
      {"color.status.added", "nocolor"},
      {"column.ui", "wide"},
      {"advice.statusHints", "no"},
      {"advice.statusHints", "perhaps"},
      {"status.displayCommentPrefix", "true"},
      {"core.commentChar", ";"},
      {"core.commentChar", "auto"},
      {"core.commentChar", "ab"},
      {"color.status.branch", "blue"},
      {"color.status.header", "bold"},
      {"status.submoduleSummary", "no"},
      {"column.ui", "auto"},
      {"user.name", "x"},
  };
  const std::vector<Arguments> lines = {{},
                                        {"-s"},
                                        {"-sb"},
                                        {"-b"},
                                        {"--long", "-uno"},
                                        {"--no-short", "--no-ahead-behind"},
                                        {"-z"},
                                        {"-sz"},
                                        {"--porcelain"},
                                        {"--porcelain=v2"},
                                        {"--porcelain=v2", "-b", "-M"},
                                        {"-s", "--renames"}};
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    repo_.enter("repo");
    std::vector<Arguments> chosen;
    for (size_t count = 1 + random() % 3; count > 0; --count) {
      chosen.push_back(configs[random() % configs.size()]);
      repo_.git({"config", "--add", chosen.back()[0], chosen.back()[1]});
    }
    SCOPED_TRACE(::testing::PrintToString(chosen));
    for (int i = 0; i < 2; ++i) {
      expect_as_git(lines[random() % lines.size()], round % 2 ? "repo" : "repo/sub");
    }
    repo_.enter("repo");
    for (const Arguments& one : chosen) {
      repo_.try_git({"config", "--unset-all", one[0]});
    }
  }
}

TEST_F(StatusRequestTest, LeavesToGitWhatGitMustSay) {
  const std::string nothing =
      "On branch main\n\nNo commits yet\n\n"
      "nothing to commit (create/copy files and use \"git add\" to track)\n";
  EXPECT_EQ(ours({}, repo_.work()), nothing);
  EXPECT_EQ(ours({"-v"}, repo_.work()), "git");
  EXPECT_EQ(ours({"-v", "--no-verbose"}, repo_.work()), nothing);
  EXPECT_EQ(ours({"-z", "--long"}, repo_.work()), "git");
  EXPECT_EQ(ours({"-s", ""}, repo_.work()), "git");
  EXPECT_EQ(ours({"-s", "path"}, repo_.work()), "");
  EXPECT_EQ(ours({"-s", "--column"}, repo_.work()), "git");
  StatusSurroundings translated;
  translated.english_messages = false;
  EXPECT_EQ(ours({}, repo_.work(), translated), "git");
  EXPECT_EQ(ours({"-sb"}, repo_.work(), translated), "git");
  EXPECT_EQ(ours({"-s"}, repo_.work(), translated), "");
  EXPECT_EQ(ours({"--porcelain", "-b"}, repo_.work(), translated), "## No commits yet on main\n");
  StatusSurroundings terminal;
  terminal.output_is_terminal = true;
  terminal.dumb_terminal = false;
  EXPECT_EQ(ours({"-sb"}, repo_.work(), terminal), "## No commits yet on \033[32mmain\033[m\n");
  repo_.git({"config", "column.ui", "auto"});
  EXPECT_EQ(ours({}, repo_.work(), terminal), "git");
  EXPECT_EQ(ours({}, repo_.work()), nothing);
  repo_.git({"config", "column.ui", "always"});
  EXPECT_EQ(ours({}, repo_.work()), "git");
  repo_.git({"config", "column.ui", "never"});
  repo_.git({"config", "status.submoduleSummary", "1"});
  EXPECT_EQ(ours({}, repo_.work()), "git");
  EXPECT_EQ(ours({"--ignore-submodules=all"}, repo_.work()), nothing);
  repo_.git({"config", "pager.status", "less"});
  EXPECT_EQ(ours({"-sb"}, repo_.work(), terminal), "git");
  EXPECT_EQ(ours({"-sb"}, repo_.work()), "## No commits yet on main\n");
}

TEST_F(StatusRequestTest, SourceIsOursAlone) {
  auto line = parse_status_command_line({"-s", "--source=scan", "--", "--source=x"});
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->source, AnswerSource::kScan);
  EXPECT_EQ(line->git_arguments, (Arguments{"-s", "--", "--source=x"}));
  EXPECT_EQ(line->options->pathspecs, Arguments{"--source=x"});
  EXPECT_FALSE(parse_status_command_line({"--source=disk"}).has_value());
  EXPECT_FALSE(parse_status_command_line({"--source"}).has_value());
}

}  // namespace
}  // namespace resident
