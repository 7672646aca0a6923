#include "watch/linux/inotify/inotify_watcher.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>

#include "fs/linux/posix_file_system.h"
#include "os/thread_limit_test_support.h"
#include "testing/needs_inotify.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"

namespace resident {
namespace {

using testing::write_whole_file;

TEST(InotifyWatcher, WithoutAnInstanceNothingIsWatchedUntilThereIsOne) {
  testing::RepoBuilder files;
  auto directory = posix_file_system().open_directory(files.root());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  auto watcher = make_inotify_watcher([] {});
  auto refused = watcher->add(*directory);
  const std::string why = watcher->why_nothing();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);

  ASSERT_TRUE(refused.ok());
  EXPECT_TRUE(refused->at_limit);
  EXPECT_NE(why.find("fs.inotify.max_user_instances"), std::string::npos) << why;
  EXPECT_TRUE(watcher->drain().empty());
  auto added = watcher->add(*directory);
  ASSERT_TRUE(added.ok());
  EXPECT_FALSE(added->at_limit);
  EXPECT_EQ(watcher->why_nothing(), "");
  write_whole_file(files.path("f"), "1");
  EXPECT_EQ(watcher->drain().directories().at(added->id).names.count("f"), 1u);
}

TEST(InotifyWatcher, WithoutAThreadNothingIsWatchedUntilThereIsOne) {
  RESIDENT_NEEDS_ROOT();
  testing::RepoBuilder files;
  ASSERT_EQ(::chmod(files.root().c_str(), 0755), 0);
  auto directory = posix_file_system().open_directory(files.root());
  testing::in_child([&] {
    testing::allow_no_more_threads();
    auto watcher = make_inotify_watcher([] {});
    auto refused = watcher->add(*directory);
    ASSERT_TRUE(refused.ok());
    EXPECT_TRUE(refused->at_limit);
    EXPECT_EQ(watcher->why_nothing(),
              "cannot start a thread: Resource temporarily unavailable: raise the limit on "
              "processes and threads");
    testing::allow_more_threads();
    auto added = watcher->add(*directory);
    ASSERT_TRUE(added.ok()) << added.error().message;
    EXPECT_FALSE(added->at_limit);
    EXPECT_EQ(watcher->why_nothing(), "");
  });
}

TEST(InotifyWatcher, TheLimitIsKnown) {
  uint64_t limit = 0;
  std::ifstream("/proc/sys/fs/inotify/max_user_watches") >> limit;
  EXPECT_GT(limit, 0u);
  EXPECT_EQ(inotify_watch_limit(), limit);
}

TEST(InotifyWatcher, AShortageNamesTheLimitAndTheCommand) {
  const std::string limit = "fs.inotify.max_user_watches";
  const uint64_t all = inotify_watch_limit();
  const WatchShortage others_use_it = inotify_shortage(3, 4);
  EXPECT_EQ(others_use_it.limit, limit);
  EXPECT_EQ(others_use_it.needed, all + 4);
  EXPECT_EQ(others_use_it.command, "sudo sysctl -w " + limit + "=" + std::to_string(all + 4));
  EXPECT_EQ(inotify_shortage(all + 3, 4).needed, all + 7) << "the limit was lowered meanwhile";
}

}  // namespace
}  // namespace resident
