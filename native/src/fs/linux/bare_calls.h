// The system calls that are made for each file or directory of a worktree, without a function of
// the C library around them. The kernel clears what the processor remembers of return addresses, so
// that each return after a system call is guessed wrong; and the C library makes some of its calls
// points at which a thread can be cancelled, which ours never are.
//
// What a call gives is the kernel's; where the kernel refuses, the errno, negated.
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

// The thread sanitizer follows descriptors by the C library's functions.
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

// What the kernel writes is what the C libraries' type says.
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
