// Start code, system calls and compiler helpers for programs without a C library.
//
// glibc reads the processor's cache sizes when a program starts. Under a hypervisor that traps
// cpuid, this costs several times the run time of a small program. Include this header in one
// source of such a program. It calls run(), and uses its result as exit code.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
asm(".globl _start\n_start:\n  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call start\n");
#elif defined(__aarch64__)
asm(".globl _start\n_start:\n  mov x29, #0\n  mov x30, #0\n  mov x0, sp\n  bl start\n");
#else
#error "no start for this processor"
#endif

namespace resident::testing::bare {

// The result, or a negative errno.
inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                 long f = 0) {
#if defined(__x86_64__)
  long result = number;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
#else
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register long x1 asm("x1") = b;
  register long x2 asm("x2") = c;
  register long x3 asm("x3") = d;
  register long x4 asm("x4") = e;
  register long x5 asm("x5") = f;
  asm volatile("svc #0"
               : "+r"(x0)
               : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
               : "memory");
  return x0;
#endif
}

inline long address(const void* pointer) {
  return reinterpret_cast<long>(pointer);
}

inline size_t length_of(const char* text) {
  size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}

[[noreturn]] inline void end(int code) {
  for (;;) call(SYS_exit_group, code);
}

// Zeroed memory from mmap(), never freed; nullptr if there is none.
inline char* allocate(size_t bytes) {
  const long at = call(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at < 0 ? nullptr : reinterpret_cast<char*>(at);
}

inline long open_file(const char* path, int flags, int mode = 0) {
  return call(SYS_openat, AT_FDCWD, address(path), flags, mode);
}

// Like fork(): returns 0 in the child.
inline long fork_process() {
  return call(SYS_clone, /*SIGCHLD*/ 17);
}

}  // namespace resident::testing::bare

int run(int argc, char** argv, char** environment);

extern "C" {

[[noreturn, gnu::used]] void start(long* stack) {
  const int argc = static_cast<int>(stack[0]);
  char** argv = reinterpret_cast<char**>(stack + 1);
  resident::testing::bare::end(run(argc, argv, argv + argc + 1));
}

// Functions that the compiler calls to copy and to zero memory.
[[gnu::used]] void* memcpy(void* to, const void* from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
  return to;
}

[[gnu::used]] void* memset(void* to, int value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) static_cast<char*>(to)[i] = static_cast<char>(value);
  return to;
}
}
