#include "git/git_command.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

std::set<int> open_descriptors() {
  std::set<int> found;
  DIR* directory = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(directory)) {
    int fd = std::atoi(entry->d_name);
    if (entry->d_name[0] != '.' && fd != ::dirfd(directory)) found.insert(fd);
  }
  ::closedir(directory);
  return found;
}

// A program that replaces git, for GitRunOptions::program.
std::string script(RepoBuilder& repo, const std::string& body) {
  std::string path = repo.path("program");
  testing::write_whole_file(path, "#!/bin/sh\n" + body);
  ::chmod(path.c_str(), 0755);
  return path;
}

TEST(GitCommand, TellsOutputErrorAndExitCode) {
  RepoBuilder repo;
  GitRunOptions options{.cwd = repo.root()};
  auto version = run_git({"version"}, options);
  ASSERT_TRUE(version.ok()) << version.error().message;
  EXPECT_EQ(version->exit_code, 0);
  EXPECT_TRUE(version->out.starts_with("git version "));

  auto failed = run_git({"rev-parse", "--show-toplevel"}, options);
  ASSERT_TRUE(failed.ok());
  EXPECT_EQ(failed->exit_code, 128);
  EXPECT_TRUE(failed->err.starts_with("fatal: not a git repository"));
  EXPECT_TRUE(git_message(*failed).starts_with("not a git repository"));
}

TEST(GitCommand, AMissingProgramIsAnError) {
  auto result = run_git({"version"}, {.program = "/nowhere/git"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  EXPECT_NE(result.error().message.find("/nowhere/git"), std::string::npos);
}

TEST(GitCommand, BigInputAndOutputDoNotDeadlock) {
  RepoBuilder repo;
  repo.init();
  std::string input;
  for (int i = 0; i < 300'000; ++i)
    input += "a/rather/long/path/number" + std::to_string(i) + ".o\n";
  repo.write(".gitignore", "*.o\n");
  auto result = run_git({"check-ignore", "--stdin"}, {.cwd = repo.work(), .input = input});
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->exit_code, 0);
  EXPECT_EQ(result->out, input);
}

TEST(GitCommand, AChildThatDoesNotReadItsInputIsNoSignalForUs) {
  std::string input(8 << 20, 'x');
  auto result = run_git({"version"}, {.input = input});
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->exit_code, 0);
}

TEST(GitCommand, EmptyInputIsEndOfFile) {
  auto result = run_git({"hash-object", "--stdin"}, {.input = ""});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->out, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n");
}

TEST(GitCommand, EnvironmentIsChangedAsAsked) {
  RepoBuilder repo;
  ::setenv("RESIDENT_TEST_GONE", "here", 1);
  std::string program = script(repo, "echo \"$GIT_OPTIONAL_LOCKS/$RESIDENT_TEST_GONE/$ADDED\"\n");
  auto result =
      run_git({}, {.program = program, .environment = {"RESIDENT_TEST_GONE", "ADDED=1=2"}});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->out, "0//1=2\n");
}

TEST(GitCommand, SignalsAreDefaultInTheChild) {
  RepoBuilder repo;
  auto before = ::signal(SIGPIPE, SIG_IGN);
  // A shell that inherits an ignored SIGPIPE would survive this kill.
  auto result = run_git({}, {.program = script(repo, "kill -PIPE $$\necho survived\n")});
  ::signal(SIGPIPE, before);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->exit_code, 128 + SIGPIPE);
  EXPECT_EQ(result->out, "");
}

TEST(GitCommand, TimeLimitEndsTheChild) {
  RepoBuilder repo;
  auto start = std::chrono::steady_clock::now();
  auto result = run_git({"x"}, {.program = script(repo, "exec sleep 60\n"),
                                .time_limit = std::chrono::milliseconds(50)});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kIo);
  EXPECT_NE(result.error().message.find("50 ms"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(GitCommand, ByteLimitEndsTheChild) {
  RepoBuilder repo;
  auto result = run_git({}, {.program = script(repo, "exec yes\n"), .byte_limit = 1000});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("1000 bytes"), std::string::npos);
}

TEST(GitCommand, ACommandFollowsTheSettings) {
  EXPECT_EQ(command_name({"status", "-c"}), "git status");
  EXPECT_EQ(command_name({"-c", "a.b=c", "-c", "d.e=f", "ls-files", "-z"}), "git ls-files");
  EXPECT_EQ(command_name({}), "git");
}

TEST(GitCommand, StopRequestCancels) {
  RepoBuilder repo;
  std::stop_source source;
  const std::string started = repo.path("started");
  std::thread stopper([&] {
    while (!std::filesystem::exists(started)) std::this_thread::yield();
    source.request_stop();
  });
  auto result = run_git({}, {.program = script(repo, "touch '" + started + "'; exec sleep 60\n"),
                             .stop = source.get_token()});
  stopper.join();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

TEST(GitCommand, AGrandchildThatHoldsThePipesDoesNotHoldUs) {
  RepoBuilder repo;
  auto start = std::chrono::steady_clock::now();
  auto result = run_git({}, {.program = script(repo, "sleep 30 &\necho said\n")});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->out, "said\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(GitCommand, ThreadsRunAtOnceAndNoDescriptorLeaks) {
  RepoBuilder repo;
  std::set<int> before = open_descriptors();
  // Descriptors that this program inherited may reach its children; others must not.
  size_t expected = 1;  // the descriptor of the listing
  for (int fd : before) {
    if (fd <= 2 || !(::fcntl(fd, F_GETFD) & FD_CLOEXEC)) ++expected;
  }
  std::string program = script(repo, "ls /proc/self/fd | wc -l\n");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        auto result = run_git({}, {.program = program});
        ASSERT_TRUE(result.ok()) << result.error().message;
        EXPECT_EQ(result->out, std::to_string(expected) + "\n");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace resident
