// Helpers for tests of a process that cannot start threads. They run in a child of the test, as a
// user other than root. The limit does not apply to root.
#pragma once

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

namespace resident::testing {

inline void limit_threads(rlim_t limit) {
  rlimit threads{};
  ASSERT_EQ(::getrlimit(RLIMIT_NPROC, &threads), 0);
  threads.rlim_cur = limit;
  ASSERT_EQ(::setrlimit(RLIMIT_NPROC, &threads), 0);
}

// Makes every later thread start fail; existing threads continue. Call it only in a child of the
// test.
inline void allow_no_more_threads() {
  constexpr uid_t kUnused = 54322;
  ASSERT_EQ(::setuid(kUnused), 0);
  // setuid() gives /proc/self to root. This gives it back, for example /proc/self/fd.
  ASSERT_EQ(::prctl(PR_SET_DUMPABLE, 1), 0);
  ASSERT_NO_FATAL_FAILURE(limit_threads(0));
}

// Allows thread starts again.
inline void allow_more_threads() {
  rlimit threads{};
  ASSERT_EQ(::getrlimit(RLIMIT_NPROC, &threads), 0);
  ASSERT_NO_FATAL_FAILURE(limit_threads(threads.rlim_max));
}

// Runs `body` with its expectations in a child of the test. An exception in `body` ends the child.
template <typename Body>
void in_child(Body body) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    [&]() noexcept { body(); }();
    std::fflush(nullptr);
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_FALSE(WIFSIGNALED(status)) << "the child ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "what the child says comes before this";
}

}  // namespace resident::testing

#define RESIDENT_NEEDS_ROOT() \
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to become a user who has a limit on threads"
