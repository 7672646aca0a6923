#include "service/pause_reason.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "testing/repo_builder.h"

namespace resident {
namespace {

class MachineStrainTest : public ::testing::Test {
 protected:
  void supply(const std::string& name, const std::string& file, const std::string& text) {
    const std::string directory = files_.path("sys/class/power_supply/" + name);
    std::filesystem::create_directories(directory);
    testing::write_whole_file(directory + "/" + file, text + "\n");
  }
  void load(const std::string& text) {
    std::filesystem::create_directories(files_.path("proc"));
    testing::write_whole_file(files_.path("proc/loadavg"), text);
  }
  PauseReason reason(unsigned cores = 4) { return pause_reason(files_.root(), cores); }

  testing::RepoBuilder files_;
};

TEST_F(MachineStrainTest, AMachineOfWhichNothingIsKnownIsNotStrained) {
  EXPECT_EQ(reason(), PauseReason::kNone);
  load("no number");
  EXPECT_EQ(reason(), PauseReason::kNone);
}

TEST_F(MachineStrainTest, ABatteryCountsWhileItIsWhatTheMachineRunsOn) {
  supply("BAT0", "type", "Battery");
  supply("BAT0", "status", "Discharging");
  EXPECT_EQ(reason(), PauseReason::kBattery);
  supply("AC", "type", "Mains");
  supply("AC", "online", "0");
  EXPECT_EQ(reason(), PauseReason::kBattery);
  supply("AC", "online", "1");
  EXPECT_EQ(reason(), PauseReason::kNone) << "some batteries lag behind";
  supply("AC", "online", "0");
  supply("BAT0", "status", "Not charging");
  EXPECT_EQ(reason(), PauseReason::kNone);
}

TEST_F(MachineStrainTest, ADevicesOwnBatteryDoesNotCount) {
  supply("mouse", "type", "Battery");
  supply("mouse", "status", "Discharging");
  EXPECT_EQ(reason(), PauseReason::kBattery);
  supply("mouse", "scope", "Device");
  EXPECT_EQ(reason(), PauseReason::kNone);
}

TEST_F(MachineStrainTest, LoadCountsAgainstTheCores) {
  load("3.99 9.00 9.00 5/500 1234\n");
  EXPECT_EQ(reason(4), PauseReason::kNone);
  EXPECT_EQ(reason(3), PauseReason::kLoad);
  load("4.00 0.00 0.00 5/500 1234\n");
  EXPECT_EQ(reason(4), PauseReason::kLoad);
}

}  // namespace
}  // namespace resident
