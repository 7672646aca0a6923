// Debian's libcrypto for arm64 needs __longjmp_chk() of glibc, a checked longjmp, to detect CPU
// features. The libc musl does not have it. The jump buffers of both have the same size.
#include <setjmp.h>

#if !defined(__GLIBC__) && defined(__aarch64__)
extern "C" [[noreturn]] void __longjmp_chk(sigjmp_buf where, int value);

extern "C" void __longjmp_chk(sigjmp_buf where, int value) {
  ::siglongjmp(where, value);
}
#endif
