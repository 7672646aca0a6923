#include "ipc/socket_path.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "testing/hermetic_environment.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

TEST(SocketPath, IsTheUsersAloneAndOneForEachWorktree) {
  testing::RepoBuilder files;
  testing::HermeticEnvironment environment(files.root());
  environment.set("XDG_RUNTIME_DIR", files.root());
  auto one = socket_path("/a");
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(*one, *socket_path("/a"));
  EXPECT_NE(*one, *socket_path("/b"));
  const stdfs::path directory = stdfs::path(*one).parent_path();
  EXPECT_EQ(stdfs::status(directory).permissions(), stdfs::perms::owner_all);

  stdfs::permissions(directory, stdfs::perms::all);
  auto open = socket_path("/a");
  ASSERT_FALSE(open.ok());
  EXPECT_EQ(open.error().code, ErrorCode::kUnsafe);
  stdfs::remove_all(directory);
  stdfs::create_directory_symlink("/tmp", directory);
  EXPECT_FALSE(socket_path("/a").ok()) << "a link planted by somebody else";
}

}  // namespace
}  // namespace resident
