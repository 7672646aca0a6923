// Measures time and memory of a program, from before its start.
//
//     bench_process once <repeat> <output file> <program> <argument>...
//     bench_process ready <program> <argument>...
//
// "once" runs the program to its end, `repeat` times in a row. "ready" waits until the program has
// printed a line, then sends SIGTERM. This process is small, and starts the program by vfork: its
// own time and memory hardly count.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/result.h"
#include "bench/json.h"
#include "bench/samples.h"
#include "os/unique_fd.h"

extern char** environ;

namespace resident::bench {

namespace {

constexpr int kReadyLimitMs = 300'000;

Result<pid_t> start(char** command, int out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, command[0], &actions, nullptr, command, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return error_from_errno(error, command[0]);
  return pid;
}

Result<std::string> run_once(int repeat, const char* output, char** command) {
  Samples times;
  rusage usage{};
  int64_t peak_kb = 0;
  for (int i = 0; i < repeat; ++i) {
    const UniqueFd out(::open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!out.valid()) return error_from_errno(errno, output);
    const Clock clock;
    RESIDENT_TRY(const pid_t pid, start(command, out.get()));
    int status = 0;
    while (::wait4(pid, &status, 0, &usage) < 0) {
      if (errno != EINTR) return error_from_errno(errno, "wait4");
    }
    times.push_back(clock.elapsed());
    peak_kb = std::max<int64_t>(peak_kb, usage.ru_maxrss);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      return Error{ErrorCode::kIo,
                   std::string(command[0]) + ": ended with status " + std::to_string(status)};
    }
  }
  const auto microseconds = [](const timeval& time) {
    return int64_t{time.tv_sec} * 1'000'000 + time.tv_usec;
  };
  return JsonObject()
      .add("ns", times)
      .add("userUs", microseconds(usage.ru_utime))
      .add("systemUs", microseconds(usage.ru_stime))
      .add("peakKb", peak_kb)
      .add("minorFaults", int64_t{usage.ru_minflt})
      .text();
}

// False: the output ended before a line.
bool wait_for_line(int from) {
  const Clock clock;
  for (;;) {
    const int64_t left = kReadyLimitMs - clock.elapsed() / 1'000'000;
    pollfd fd{from, POLLIN, 0};
    if (left <= 0 || ::poll(&fd, 1, static_cast<int>(left)) == 0) return false;
    char buffer[512];
    const ssize_t count = ::read(from, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    if (std::memchr(buffer, '\n', static_cast<size_t>(count))) return true;
  }
}

Result<std::string> run_until_ready(char** command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return error_from_errno(errno, "pipe");
  const UniqueFd from(ends[0]);
  UniqueFd to(ends[1]);
  const Clock clock;
  RESIDENT_TRY(const pid_t pid, start(command, to.get()));
  to.reset();
  const bool is_ready = wait_for_line(from.get());
  const int64_t time = clock.elapsed();
  const ProcessMemory memory = memory_of(std::to_string(pid));
  ::kill(pid, is_ready ? SIGTERM : SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (!is_ready) {
    return Error{ErrorCode::kIo, std::string(command[0]) + ": did not say that it was ready"};
  }
  return JsonObject()
      .add("ns", Samples{time})
      .add("residentKb", memory.resident_kb)
      .add("peakKb", memory.peak_kb)
      .text();
}

Result<std::string> measure(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  if (how == "once" && argc > 4) return run_once(std::atoi(argv[2]), argv[3], argv + 4);
  if (how == "ready" && argc > 2) return run_until_ready(argv + 2);
  return Error{ErrorCode::kInvalid,
               "usage: bench_process once <repeat> <output file> <program> <argument>...\n"
               "       bench_process ready <program> <argument>..."};
}

}  // namespace

}  // namespace resident::bench

int main(int argc, char** argv) {
  const auto said = resident::bench::measure(argc, argv);
  if (!said.ok()) {
    std::fprintf(stderr, "bench_process: %s\n", said.error().message.c_str());
    return 1;
  }
  std::puts(said->c_str());
  return 0;
}
