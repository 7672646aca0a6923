#include "watch/host_watch.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <future>

#include "os/thread_limit_test_support.h"

namespace resident {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Clocks that a test can set.
struct FakeClocks {
  nanoseconds awake{1'000'000};
  nanoseconds asleep{500};
  nanoseconds each_look{0};

  HostWatch::Clocks clocks() {
    return {[this] { return awake += each_look; }, [this] { return awake + asleep; }};
  }
};

std::unique_ptr<HostWatch> open(FakeClocks& clocks) {
  auto host = HostWatch::open(
      "/", [] {}, clocks.clocks());
  EXPECT_TRUE(host.ok());
  return host.ok() ? std::move(host).value() : nullptr;
}

TEST(HostWatch, TimeThatPassesIsNoSuspend) {
  FakeClocks clocks;
  auto host = open(clocks);
  for (int i = 0; i < 100; ++i) {
    clocks.awake += milliseconds(i * 50);
    // Simulates a long pause of the program between two clock readings.
    clocks.each_look = i % 7 == 0 ? std::chrono::seconds(60) : nanoseconds(40);
    EXPECT_NE(host->take().desync_reason, "the computer was asleep") << i;
  }
}

TEST(HostWatch, ASuspendIsToldOnce) {
  FakeClocks clocks;
  auto host = open(clocks);
  clocks.asleep += milliseconds(1);
  EXPECT_EQ(host->take().desync_reason, "the computer was asleep");
  EXPECT_NE(host->take().desync_reason, "the computer was asleep");
  clocks.asleep += std::chrono::hours(100);
  clocks.each_look = nanoseconds(40);
  EXPECT_EQ(host->take().desync_reason, "the computer was asleep");
  EXPECT_NE(host->take().desync_reason, "the computer was asleep");
}

TEST(HostWatch, TheSystemsClocksTellOfNoSuspend) {
  auto host = HostWatch::open("/nowhere", [] {});
  ASSERT_TRUE(host.ok());
  for (int i = 0; i < 1000; ++i) EXPECT_EQ((*host)->take().desync_reason, "") << i;
}

TEST(MountsAround, AreThoseAtBelowAndAbove) {
  const std::string mountinfo =
      "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
      "30 22 0:20 / /home rw - tmpfs none rw\n"
      "31 30 0:21 / /home/a rw - tmpfs none rw\n"
      "32 31 0:22 /sub /home/a/work\\040tree rw - tmpfs none rw\n"
      "33 32 0:23 / /home/a/work\\040tree/x/y rw shared:1 - tmpfs none rw\n"
      "34 32 0:24 / /home/a/work\\040tree2 rw - tmpfs none rw\n"
      "35 22 0:25 / /homework rw - tmpfs none rw\n"
      "36 22 0:26 / /proc rw - proc proc rw\n";
  EXPECT_EQ(mounts_around("/home/a/work tree", mountinfo),
            "8:1 / /\n0:20 / /home\n0:21 / /home/a\n0:22 /sub /home/a/work\\040tree\n"
            "0:23 / /home/a/work\\040tree/x/y\n");
  EXPECT_EQ(mounts_around("/", "22 1 8:1 / / rw\n36 22 0:26 / /proc rw"),
            "8:1 / /\n0:26 / /proc\n");
  for (const char* broken :
       {"", "\n", "22", "22 1 8:1 / \n", "a b c d /\\04", "a b c d /\\999 e"}) {
    EXPECT_EQ(mounts_around("/home", broken), "") << broken;
  }
}

// Result of a child in its own mount namespace. 0: correct; 2: it may not mount; else the line of
// the failed check.
int mount_and_look(const std::string& root) {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return 2;
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 2;
  for (const char* below : {"", "/w", "/w/d", "/other"}) ::mkdir((root + below).c_str(), 0700);
  std::promise<void> told;
  std::atomic<bool> was_told{false};
  auto host = HostWatch::open(root + "/w", [&] {
    if (!was_told.exchange(true)) told.set_value();
  });
  if (!host.ok()) return __LINE__;
  auto mount = [&](const char* at) {
    return ::mount("none", (root + at).c_str(), "tmpfs", 0, nullptr) == 0;
  };
  auto unmount = [&](const char* at) { return ::umount((root + at).c_str()) == 0; };
  if ((*host)->take().mounts) return __LINE__;
  if (!mount("/other")) return 2;
  // The waiting client is woken.
  if (told.get_future().wait_for(std::chrono::seconds(60)) != std::future_status::ready)
    return __LINE__;
  HostWatch::Events events = (*host)->take();
  if (!events.mounts || !events.desync_reason.empty()) return __LINE__;
  if (!unmount("/other") || !(*host)->take().desync_reason.empty()) return __LINE__;
  for (const char* place : {"/w/d", "/w", ""}) {
    if (!mount(place) || (*host)->take().desync_reason.empty()) return __LINE__;
    if ((*host)->take().mounts) return __LINE__;
    if (!unmount(place) || (*host)->take().desync_reason.empty()) return __LINE__;
  }
  return 0;
}

TEST(HostWatch, WithoutAThreadWhoAsksSeesIt) {
  RESIDENT_NEEDS_ROOT();
  testing::in_child([] {
    testing::allow_no_more_threads();
    FakeClocks clocks;
    auto host = open(clocks);
    ASSERT_NE(host, nullptr);
    clocks.asleep += milliseconds(1);
    EXPECT_EQ(host->take().desync_reason, "the computer was asleep");
  });
}

TEST(HostWatch, MountsAreToldAndDistrustedWhereTheyMatter) {
  std::string root = "/tmp/host-watch-XXXXXX";
  ASSERT_NE(::mkdtemp(root.data()), nullptr);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(mount_and_look(root));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  for (const char* below : {"/w/d", "/w", "/other", ""}) ::rmdir((root + below).c_str());
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "nothing may be mounted here";
  EXPECT_EQ(WEXITSTATUS(status), 0) << "the line of what failed";
}

}  // namespace
}  // namespace resident
