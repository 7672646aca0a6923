// The messages of the long format about slow work. test/conformance compares all other output with
// git.
#include "porcelain/long_format.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <thread>

#include "os/unique_fd.h"
#include "status/ask_git.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

// Feeds the readers of a named pipe: one reader per `delay`.
class SlowPipe {
 public:
  SlowPipe(const std::string& path, std::string content, std::chrono::milliseconds delay)
      : path_(path), content_(std::move(content)), delay_(delay) {
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    thread_ = std::jthread([this](const std::stop_token& stop) { feed(stop); });
  }
  ~SlowPipe() {
    thread_.request_stop();
    // Acts as a reader in case the thread waits for one. O_RDWR does not wait for a writer.
    const UniqueFd both_ends(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
    thread_.join();
    EXPECT_EQ(std::remove(path_.c_str()), 0);
  }

 private:
  void feed(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      stopped.wait_for(lock, stop, delay_, [] { return false; });
      std::ofstream(path_) << content_;
    }
  }

  const std::string path_;
  const std::string content_;
  const std::chrono::milliseconds delay_;
  std::jthread thread_;
};

std::chrono::milliseconds seconds_in(const std::string& text) {
  const size_t at = text.find("It took ");
  double seconds = 0;
  EXPECT_NE(at, std::string::npos) << text;
  if (at != std::string::npos) std::sscanf(text.c_str() + at, "It took %lf seconds", &seconds);
  return std::chrono::milliseconds(std::lround(seconds * 1000));
}

class LongFormatTest : public ::testing::Test {
 protected:
  LongFormatTest() {
    repo_.init();
    repo_.write("a", "1");
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-qm", "first"});
    repo_.write("new", "");
  }

  StatusResult status() {
    auto parsed = parse_porcelain_v2(repo_.git({"status", "--porcelain=v2", "-z", "--branch"}));
    EXPECT_TRUE(parsed.ok());
    StatusResult status = parsed.ok() ? *std::move(parsed) : StatusResult{};
    status.operation.emplace();
    return status;
  }

  // git's output when reading a file takes longer than its limit of two seconds. git must reach the
  // file early enough to wait so long.
  std::string slow_status(const std::string& file, const std::string& content,
                          const RepoBuilder::Arguments& command) {
    std::string said;
    for (int factor = 1; factor < 16 && said.find("It took ") == std::string::npos; factor *= 2) {
      const SlowPipe pipe(file, content, factor * std::chrono::milliseconds(2200));
      said = repo_.git(command);
    }
    return said;
  }

  RepoBuilder repo_;
};

TEST_F(LongFormatTest, TellsThatEnumeratingTookLong) {
  StatusResult status = this->status();
  const std::string excludes = repo_.path("excludes");
  const std::string expected = slow_status(
      excludes, "",
      {"-c", "core.excludesFile=" + excludes, "-c", "status.displayCommentPrefix=true", "status"});
  status.enumerating = seconds_in(expected);
  PrintOptions options;
  options.rules = current_git_rules().value();
  options.format = StatusFormat::kLong;
  options.long_format.comment = "#";
  EXPECT_EQ(print_status(status, options), expected);
  options.long_format.tell_slow_enumerating = false;
  EXPECT_EQ(print_status(status, options).find("It took"), std::string::npos);
  options.long_format.tell_slow_enumerating = true;
  status.enumerating = std::chrono::milliseconds(2000);
  EXPECT_EQ(print_status(status, options).find("It took"), std::string::npos);
}

TEST_F(LongFormatTest, TellsThatCountingTookLong) {
  repo_.git({"update-ref", "refs/heads/upstream", "HEAD"});
  repo_.git({"config", "branch.main.remote", "."});
  repo_.git({"config", "branch.main.merge", "refs/heads/upstream"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "second"});
  StatusResult status = this->status();
  const std::string id = repo_.git({"rev-parse", "upstream"});
  const std::string file = repo_.work() + "/.git/refs/heads/upstream";
  ASSERT_EQ(std::remove(file.c_str()), 0);
  const std::string expected = slow_status(file, id, {"status"});
  status.counting = seconds_in(expected);
  PrintOptions options;
  options.rules = current_git_rules().value();
  options.format = StatusFormat::kLong;
  EXPECT_EQ(print_status(status, options), expected);
  options.long_format.tell_slow_counting = false;
  EXPECT_EQ(print_status(status, options).find("It took"), std::string::npos);
  options.long_format.tell_slow_counting = true;
  options.long_format.ahead_behind = false;
  EXPECT_EQ(print_status(status, options).find("It took"), std::string::npos);
}

TEST_F(LongFormatTest, TellsOfASparseIndex) {
  repo_.write("in/a", "1");
  repo_.write("out/a", "1");
  repo_.git({"add", "-A"});
  repo_.git({"commit", "-qm", "second"});
  repo_.git({"sparse-checkout", "set", "--cone", "--sparse-index", "in"});
  StatusResult status = this->status();
  status.sparse_checkout.emplace();
  PrintOptions options;
  options.rules = current_git_rules().value();
  options.format = StatusFormat::kLong;
  const std::string expected = repo_.git({"status"});
  EXPECT_NE(expected.find("You are in a sparse checkout."), std::string::npos);
  EXPECT_EQ(print_status(status, options), expected);
}

}  // namespace
}  // namespace resident
