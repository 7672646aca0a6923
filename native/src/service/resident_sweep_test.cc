// The sweep of a Resident: changes without a kernel event reach the listener without a question.
// Every wait is for a condition.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "os/unique_fd.h"
#include "service/resident_test_support.h"

namespace resident {
namespace {

using testing::Recorder;

class ResidentSweepTest : public ::testing::Test {
 protected:
  using Seen = Recorder::Seen;

  ResidentSweepTest() : environment_(repo_.root()) {
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    repo_.init();
    repo_.write("f", "before");
    repo_.write("g", "0");
    // Different from the second of the later change.
    for (const char* name : {"f", "g"}) {
      const timespec times[2] = {{1'500'000'000, 0}, {1'500'000'000, 0}};
      EXPECT_EQ(::utimensat(AT_FDCWD, (repo_.work() + "/" + name).c_str(), times, 0), 0);
    }
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "1"});
  }
  ~ResidentSweepTest() override {
    resident_.reset();
    if (mapped_) ::munmap(mapped_, 6);
  }

  void open(std::chrono::milliseconds sweep) {
    Resident::Options options;
    options.listen = false;
    options.watch_metadata = true;
    options.configuration.sweep = sweep;
    options.pause_reason = [this] { return pause_reason_.load(); };
    resident_ = testing::value_of(Resident::open(repo_.work(), options, recorder_));
    recorder_.await_watching();
  }
  // Stores into "f" through a mapping that stays. False if the stat data did not change.
  bool store() {
    const std::string path = repo_.work() + "/f";
    UniqueFd file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    mapped_ =
        static_cast<char*>(::mmap(nullptr, 6, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0));
    mapped_[0] = 'B';
    struct stat now {};
    return ::stat(path.c_str(), &now) == 0 && now.st_mtim.tv_sec != 1'500'000'000;
  }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
  Recorder recorder_;
  std::atomic<PauseReason> pause_reason_{PauseReason::kNone};
  std::unique_ptr<Resident> resident_;
  char* mapped_ = nullptr;
};

TEST_F(ResidentSweepTest, AStoreThroughAMappingIsToldWithinTheStatedTime) {
  open(std::chrono::milliseconds(200));
  if (!store()) GTEST_SKIP() << "this file system stamps no store";
  recorder_.await("the store", [](const Seen& seen) { return seen.tracked.contains("f"); });
  EXPECT_EQ(repo_.git({"status", "--porcelain"}), " M f\n");
}

TEST_F(ResidentSweepTest, TheStateTellsTheStatedTimeAndWhatPausesIt) {
  open(std::chrono::minutes(10));
  const Seen on = recorder_.await(
      "on", [](const Seen& seen) { return seen.state.sweep.pace == SweepState::Pace::kRunning; });
  EXPECT_EQ(on.state.sweep.within, std::chrono::minutes(10));
  EXPECT_NE(on.state.sweep.verified_at, 0) << "the first scan looked at everything";
  pause_reason_ = PauseReason::kBattery;
  resident_->configure({.sweep = std::chrono::milliseconds(200)});
  const Seen paused = recorder_.await("paused", [](const Seen& seen) {
    return seen.state.sweep.pace == SweepState::Pace::kBattery;
  });
  EXPECT_EQ(paused.state.sweep.verified_at, on.state.sweep.verified_at);
  const bool stamped = store();
  pause_reason_ = PauseReason::kNone;
  recorder_.await("resumed", [](const Seen& seen) {
    return seen.state.sweep.pace == SweepState::Pace::kRunning;
  });
  if (stamped) {
    recorder_.await("the store", [](const Seen& seen) { return seen.tracked.contains("f"); });
  }
  resident_->configure({.sweep = std::chrono::milliseconds(0)});
  recorder_.await("off", [](const Seen& seen) { return seen.state.sweep == SweepState(); });
}

TEST_F(ResidentSweepTest, OffItIsRescanThatFindsIt) {
  open(std::chrono::milliseconds(0));
  if (!store()) GTEST_SKIP() << "this file system stamps no store";
  auto asked = testing::await_answer<StatusResult>([&](auto done) { resident_->status({}, done); });
  ASSERT_TRUE(asked.ok());
  EXPECT_TRUE(asked->changed.empty()) << "nothing told of it";
  auto rescan = testing::await_answer<Resident::RescanResult>([&](auto done) {
    resident_->rescan(nullptr, std::make_shared<std::atomic<bool>>(false), done);
  });
  ASSERT_TRUE(rescan.ok());
  recorder_.await("the store", [](const Seen& seen) { return seen.tracked.contains("f"); });
}

}  // namespace
}  // namespace resident
