// bench_hook <version> <token>: the floor of a monitor that git runs as a hook (core.fsmonitor). It
// answers at once with a token and no changes (githooks(5), fsmonitor-watchman, version 2). git's
// time with it is the minimum cost of any hook.
#include <unistd.h>

int main() {
  constexpr char kToken[] = "floor";  // sent with its final NUL
  return ::write(STDOUT_FILENO, kToken, sizeof kToken) == sizeof kToken ? 0 : 1;
}
