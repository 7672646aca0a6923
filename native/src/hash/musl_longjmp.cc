// What Debian's libcrypto for arm64 asks of glibc and musl lacks: longjmp with a check, which its
// probe of the processor uses. musl's jump buffers have the size of glibc's.
#include <features.h>
#include <setjmp.h>

#if !defined(__GLIBC__) && defined(__aarch64__)
extern "C" [[noreturn]] void __longjmp_chk(sigjmp_buf where, int value);

extern "C" void __longjmp_chk(sigjmp_buf where, int value) {
  ::siglongjmp(where, value);
}
#endif
