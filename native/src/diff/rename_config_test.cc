#include "diff/rename_config.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

namespace resident {
namespace {

TEST(RenameConfig, TheFirstDiffKeyAndTheLastStatusKeyCount) {
  auto renames = [](std::vector<ConfigEntry> entries) {
    return configured_renames(Config::from_entries(std::move(entries)));
  };
  EXPECT_EQ(renames({}), RenameMode::kRenames);
  EXPECT_EQ(renames({{"diff.renames", "copies"}, {"diff.renames", "no"}}), RenameMode::kCopies);
  EXPECT_EQ(renames({{"status.renames", "copies"}, {"status.renames", "no"}}), RenameMode::kOff);
  EXPECT_EQ(renames({{"status.renames", "no"}, {"diff.renames", "yes"}}), RenameMode::kOff);
  EXPECT_EQ(renames({{"diff.renames", std::nullopt}}), RenameMode::kRenames);
}

}  // namespace
}  // namespace resident
