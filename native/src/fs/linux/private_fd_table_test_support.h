// Rules that forbid a process what its threads need for descriptors of their own, as a container
// has them: whether there are such, and to make them.
#pragma once

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace resident::testing {

inline constexpr uint32_t kCloseRangeCall = 436;
inline constexpr const char* kNoOwnTable = "a rule forbids threads descriptors of their own";

// Not where a rule forbids it.
inline bool can_unshare(int what) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::unshare(what) == 0 ? 0 : 1);
  int status = 0;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

// From here on the system call is refused, in this process. In a child of the test.
inline void forbid_call(uint32_t number, uint32_t error) {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(rules), rules};
  ASSERT_EQ(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

inline void forbid_own_descriptors() {
  ASSERT_NO_FATAL_FAILURE(forbid_call(SYS_unshare, EPERM));
  ASSERT_NO_FATAL_FAILURE(forbid_call(kCloseRangeCall, EPERM));
}

}  // namespace resident::testing
