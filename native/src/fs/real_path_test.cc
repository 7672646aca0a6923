#include "fs/real_path.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "testing/repo_builder.h"

namespace resident {
namespace {

TEST(RealPath, LeadsThroughLinksAndIsEmptyForNone) {
  testing::RepoBuilder files;
  files.write("a/file", "content");
  const std::string root = real_path(files.work());
  ASSERT_FALSE(root.empty());
  ASSERT_EQ(::symlink("a", (root + "/link").c_str()), 0);
  EXPECT_EQ(real_path(root + "/link/.././link//file"), root + "/a/file");
  EXPECT_EQ(real_path("/"), "/");
  EXPECT_EQ(real_path(root + "/none"), "");
  EXPECT_EQ(real_path(root + "/a/file/."), "");
  EXPECT_EQ(real_path(""), "");
}

}  // namespace
}  // namespace resident
