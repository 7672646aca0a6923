// Limits on watches that affect no other program, in a child of the test with its own user
// namespace.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "fs/linux/private_fd_table_test_support.h"
#include "os/thread_limit_test_support.h"

namespace resident::testing {

inline void write_to(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  ASSERT_TRUE(file.good()) << path;
}

// `name`: as in /proc/sys/user.
inline void limit_to(const std::string& name, int value) {
  write_to("/proc/sys/user/max_" + name, std::to_string(value));
}

inline void enter_own_limits() {
  ASSERT_EQ(::unshare(CLONE_NEWUSER), 0) << std::strerror(errno);
  ASSERT_NO_FATAL_FAILURE(write_to("/proc/self/setgroups", "deny"));
  ASSERT_NO_FATAL_FAILURE(write_to("/proc/self/gid_map", "0 0 1"));
  ASSERT_NO_FATAL_FAILURE(write_to("/proc/self/uid_map", "0 0 1"));
}

// False under ThreadSanitizer, which has its own thread.
inline bool can_have_own_limits() {
  return ::geteuid() == 0 && can_unshare(CLONE_NEWUSER);
}

// Runs `body` in a child where limit_to() affects no other program.
template <typename Body>
void with_own_limits(Body body) {
  in_child([&] {
    enter_own_limits();
    if (!::testing::Test::HasFatalFailure()) body();
  });
}

}  // namespace resident::testing

#define RESIDENT_NEEDS_OWN_LIMITS()                \
  if (!::resident::testing::can_have_own_limits()) \
  GTEST_SKIP() << "needs root, and a user namespace, to have limits of its own"
