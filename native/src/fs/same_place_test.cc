#include "fs/same_place.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "testing/repo_builder.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

class SamePlaceTest : public ::testing::Test {
 protected:
  SamePlaceTest() {
    stdfs::create_directories(at("a/git"));
    stdfs::create_directories(at("b/git"));
    stdfs::create_directory_symlink("a", at("link"));
  }
  std::string at(const std::string& path) const { return files_.path(path); }

  testing::RepoBuilder files_;
};

TEST_F(SamePlaceTest, ADirectoryIsTheSameByEveryName) {
  EXPECT_TRUE(is_same_directory(at("a/git"), at("link/git")));
  EXPECT_TRUE(is_same_directory(at("a/git"), at("a/../a/git/")));
  EXPECT_FALSE(is_same_directory(at("a/git"), at("b/git")));
  EXPECT_TRUE(is_same_directory(at("gone"), at("gone")));
  EXPECT_FALSE(is_same_directory(at("gone"), at("a/../gone")));
}

TEST_F(SamePlaceTest, AFileIsNoDirectoryByAnotherName) {
  testing::write_whole_file(at("a/f"), "");
  EXPECT_FALSE(is_same_directory(at("a/f"), at("link/f")));
}

TEST_F(SamePlaceTest, ANameIsTheSameWhateverStandsThere) {
  EXPECT_TRUE(is_same_name(at("a/git/index"), at("link/git/index")));
  EXPECT_FALSE(is_same_name(at("a/git/index"), at("link/git/other")));
  EXPECT_FALSE(is_same_name(at("a/git/index"), at("b/git/index")));
}

}  // namespace
}  // namespace resident
