// bench_hook <version> <token>: the floor of a monitor that git runs as a hook (core.fsmonitor). It
// asks nobody: a token, and that nothing changed since the last one (githooks(5),
// fsmonitor-watchman, version 2). So what git takes with it is what any hook costs.
#include <unistd.h>

int main() {
  constexpr char kToken[] = "floor";  // sent with the NUL that ends it
  return ::write(STDOUT_FILENO, kToken, sizeof kToken) == sizeof kToken ? 0 : 1;
}
