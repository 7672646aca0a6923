#include "fs/open_for_writing.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "os/unique_fd.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

TEST(OpenForWriting, IsToldOfAnyDescriptor) {
  testing::RepoBuilder files;
  files.write("file", "content");
  const std::string path = files.work() + "/file";
  EXPECT_FALSE(is_open_for_writing(path));
  {
    const UniqueFd reader(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_FALSE(is_open_for_writing(path));
    const UniqueFd writer(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    ASSERT_TRUE(writer.valid());
    EXPECT_TRUE(is_open_for_writing(path));
  }
  EXPECT_FALSE(is_open_for_writing(path));
  const UniqueFd later(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  EXPECT_TRUE(later.valid()) << "no lease is left";
  EXPECT_FALSE(is_open_for_writing(files.work() + "/none"));
  EXPECT_FALSE(is_open_for_writing(files.work()));
}

}  // namespace
}  // namespace resident
