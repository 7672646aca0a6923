#include "fs/linux/tree_read_ahead.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/fanotify.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "fs/linux/private_fd_table_test_support.h"
#include "os/thread_limit_test_support.h"
#include "os/unique_fd.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

constexpr uint32_t kOpenat2Call = 437;

TreeReadAhead::Progress end_of(const TreeReadAhead& ahead) {
  while (!ahead.progress().ended) std::this_thread::yield();
  return ahead.progress();
}

class TreeReadAheadTest : public ::testing::Test {
 protected:
  std::string path(const std::string& relative) const { return files_.work() + "/" + relative; }
  void make_directory(const std::string& relative) {
    ASSERT_EQ(::mkdir(path(relative).c_str(), 0700), 0);
  }

  testing::RepoBuilder files_;
};

TEST_F(TreeReadAheadTest, ReadsEveryDirectoryAndAsksForEveryName) {
  files_.write("file", "");
  files_.write("a/file", "");
  files_.write("a/b/file", "");
  files_.write("a/b/other", "");
  make_directory("empty");
  const auto [directories, names, ended] = end_of(TreeReadAhead(files_.work()));
  EXPECT_EQ(directories, 4u);
  EXPECT_EQ(names, 4u);
}

TEST_F(TreeReadAheadTest, LeavesRepositoriesAndLinksOut) {
  files_.write(".git/objects/file", "");
  files_.write("a/.git/file", "");
  files_.write("a/file", "");
  ASSERT_EQ(::symlink("a", path("link").c_str()), 0);
  const auto [directories, names, ended] = end_of(TreeReadAhead(files_.work()));
  EXPECT_EQ(directories, 2u);
  EXPECT_EQ(names, 2u) << "the file, and the link itself";
}

TEST_F(TreeReadAheadTest, StaysOnOneFileSystem) {
  if (!testing::can_unshare(CLONE_NEWNS)) GTEST_SKIP() << "nothing may be mounted here";
  files_.write("file", "");
  make_directory("mounted");
  testing::in_child([&] {
    ASSERT_EQ(::unshare(CLONE_NEWNS), 0);
    ASSERT_EQ(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0);
    ASSERT_EQ(::mount("none", path("mounted").c_str(), "tmpfs", 0, nullptr), 0);
    files_.write("mounted/file", "");
    const auto [directories, names, ended] = end_of(TreeReadAhead(files_.work()));
    EXPECT_EQ(directories, 1u);
    EXPECT_EQ(names, 1u);
    EXPECT_EQ(::umount(path("mounted").c_str()), 0);
  });
}

TEST_F(TreeReadAheadTest, ReadsNoMoreDirectoriesThanItMay) {
  for (int i = 0; i < 20; ++i) make_directory(std::to_string(i));
  EXPECT_EQ(end_of(TreeReadAhead(files_.work(), 5)).directories, 5u);
  EXPECT_EQ(end_of(TreeReadAhead(files_.work(), 0)).directories, 0u);
}

TEST_F(TreeReadAheadTest, ReadsNothingWhereItCannot) {
  EXPECT_EQ(end_of(TreeReadAhead(path("none"))).directories, 0u);
  files_.write("file", "");
  EXPECT_EQ(end_of(TreeReadAhead(path("file"))).directories, 0u);
  for (const uint32_t refusal : {ENOSYS, EPERM}) {
    testing::in_child([&] {
      ASSERT_NO_FATAL_FAILURE(testing::forbid_call(kOpenat2Call, refusal));
      EXPECT_EQ(end_of(TreeReadAhead(files_.work())).directories, 0u);
    });
  }
}

// Blocks every open of a directory until the test releases it.
class HangingDirectory {
 public:
  explicit HangingDirectory(const std::string& path)
      : events_(::fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC, O_RDONLY | O_CLOEXEC)) {
    hangs_ =
        events_.valid() && ::fanotify_mark(events_.get(), FAN_MARK_ADD | FAN_MARK_ONLYDIR,
                                           FAN_OPEN_PERM | FAN_ONDIR, AT_FDCWD, path.c_str()) == 0;
  }
  bool hangs() const { return hangs_; }

  void await() {
    fanotify_event_metadata event;
    ASSERT_EQ(::read(events_.get(), &event, sizeof event), ssize_t{sizeof event});
    opened_ = UniqueFd(event.fd);
  }
  void let_go() {
    const fanotify_response answer{opened_.get(), FAN_ALLOW};
    ASSERT_EQ(::write(events_.get(), &answer, sizeof answer), ssize_t{sizeof answer});
  }

 private:
  UniqueFd events_;
  UniqueFd opened_;
  bool hangs_ = false;
};

TEST_F(TreeReadAheadTest, NobodyWaitsForOneThatHangsAndItReadsNoFurtherOnceStopped) {
  files_.write("a/b/file", "");
  files_.write("a/file", "");
  HangingDirectory a(path("a"));
  if (!a.hangs()) GTEST_SKIP() << "needs root, to let a directory hang";
  TreeReadAhead ahead(files_.work());
  ASSERT_NO_FATAL_FAILURE(a.await());
  { const TreeReadAhead let_go_of(files_.work()); }
  ahead.stop();
  EXPECT_FALSE(ahead.progress().ended);
  a.let_go();
  const auto [directories, names, ended] = end_of(ahead);
  EXPECT_EQ(directories, 2u) << "the root, and the one that hung";
  EXPECT_EQ(names, 0u);
}

}  // namespace
}  // namespace resident
