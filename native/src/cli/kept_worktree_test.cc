#include "cli/kept_worktree.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/commands.h"
#include "fs/linux/posix_file_system.h"

namespace resident {
namespace {

using namespace std::chrono_literals;

TEST(SweepOption, IsTakenOutOfTheArguments) {
  struct {
    Arguments arguments;
    std::chrono::milliseconds sweep;
  } const cases[] = {
      {{"path"}, 10min},
      {{"--sweep=1", "path"}, 1min},
      {{"path", "--sweep=90"}, 90min},
      {{"--sweep=off", "path"}, 0min},
  };
  for (const auto& [arguments, sweep] : cases) {
    Arguments rest = arguments;
    EXPECT_EQ(parse_sweep_option(rest), sweep) << arguments.front();
    EXPECT_EQ(rest, Arguments{"path"});
  }
  for (const char* wrong : {"--sweep=", "--sweep=0", "--sweep=-1", "--sweep=1m", "--sweep=1.5",
                            "--sweep=on", "--sweep=99999999999999999999"}) {
    Arguments rest = {wrong, "path"};
    EXPECT_EQ(parse_sweep_option(rest), std::nullopt) << wrong;
    EXPECT_EQ(serve_command(posix_file_system(), {wrong, "path"}), 129) << wrong;
    EXPECT_EQ(watch_command(posix_file_system(), {wrong, "path"}), 129) << wrong;
  }
}

TEST(DescribeDetails, SaysWhatIsWaitedFor) {
  ModelState state;
  state.kind = ModelState::Kind::kWatching;
  const auto since = std::chrono::system_clock::now() - 1h;
  const auto since_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(since.time_since_epoch());
  state.waiting = {"filter lfs", 12, since_ms.count()};
  EXPECT_EQ(describe_details(state).find("waiting for filter lfs, 12 files, 36"), 0u)
      << describe_details(state);
}

TEST(DescribeDetails, SaysByWhenEverythingWasLookedAt) {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  ModelState state;
  state.kind = ModelState::Kind::kWatching;
  EXPECT_EQ(describe_details(state), "");
  state.sweep = {SweepState::Pace::kRunning, 10min, 14 * 3600 + 3 * 60 + 21, 0};
  EXPECT_EQ(describe_details(state), "last full check 14:03:21, every 10 minutes");
  state.sweep.percent = 40;
  EXPECT_EQ(describe_details(state),
            "last full check 14:03:21, every 10 minutes; 40% of the next check");
  state.sweep.pace = SweepState::Pace::kBattery;
  EXPECT_EQ(describe_details(state), "last full check 14:03:21, paused: battery");
  state.sweep.pace = SweepState::Pace::kLoad;
  state.linked_beyond = 3;
  EXPECT_EQ(
      describe_details(state),
      "last full check 14:03:21, paused: load; 3 files with several hard links checked in turn");
  state.kind = ModelState::Kind::kFailed;
  EXPECT_EQ(describe_details(state), "");
  ::unsetenv("TZ");
  ::tzset();
}

}  // namespace
}  // namespace resident
