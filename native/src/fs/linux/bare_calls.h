// The system calls for each file or directory of a worktree, without the C library's wrappers. The
// kernel clears the processor's predicted return addresses, so that every return after a system
// call is mispredicted. A wrapper adds such a return. Some wrappers are also cancellation points,
// and our threads are never cancelled.
//
// Results are the kernel's; a failed call returns the negated errno.
//
// Threads: any.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>

// The thread sanitizer tracks descriptors through the C library's functions.
#if defined(__linux__) && defined(__x86_64__) && !defined(__ILP32__) && \
    !defined(__SANITIZE_THREAD__)
#define RESIDENT_BARE_CALLS
#endif

namespace resident::bare {

#ifdef RESIDENT_BARE_CALLS

inline long call(long number, long a, const void* b = nullptr, long c = 0, long d = 0) {
  long result = number;
  register long fourth asm("r10") = d;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(fourth)
               : "rcx", "r11", "memory");
  return result;
}

// The kernel writes the layout of the C library's struct stat.
static_assert(sizeof(struct stat) == 144 && offsetof(struct stat, st_mode) == 24 &&
              offsetof(struct stat, st_size) == 48 && offsetof(struct stat, st_mtim) == 88);

inline long lstat_at(int directory, const char* name, struct stat& out) {
  return call(SYS_newfstatat, directory, name, reinterpret_cast<long>(&out), AT_SYMLINK_NOFOLLOW);
}

inline long open_at(int directory, const char* name, int flags) {
  return call(SYS_openat, directory, name, flags);
}

inline long list(int directory, std::span<char> room) {
  return call(SYS_getdents64, directory, room.data(), static_cast<long>(room.size()));
}

inline long close(int descriptor) {
  return call(SYS_close, descriptor);
}

#else

inline long or_errno(long result) {
  return result < 0 ? -errno : result;
}

inline long lstat_at(int directory, const char* name, struct stat& out) {
  return or_errno(::fstatat(directory, name, &out, AT_SYMLINK_NOFOLLOW));
}

inline long open_at(int directory, const char* name, int flags) {
  return or_errno(::openat(directory, name, flags));
}

inline long list(int directory, std::span<char> room) {
  return or_errno(::syscall(SYS_getdents64, directory, room.data(), room.size()));
}

inline long close(int descriptor) {
  return or_errno(::close(descriptor));
}

#endif

}  // namespace resident::bare
