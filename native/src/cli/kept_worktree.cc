#include "cli/kept_worktree.h"

#include <csignal>
#include <cstdio>

namespace resident {

namespace {

std::string count(uint64_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

}  // namespace

std::string describe(const ModelState& state) {
  const std::string directories = count(state.directories, "directory", "directories");
  switch (state.kind) {
    case ModelState::Kind::kScanning:
      return "scanning, " + std::to_string(state.files_seen) + " of " +
             count(state.files_expected, "file", "files");
    case ModelState::Kind::kVerifying:
      return "verifying, " + std::to_string(state.files_seen) + " of " +
             count(state.files_expected, "file", "files") + ": " + state.message;
    case ModelState::Kind::kWatching:
      return "watching " + directories;
    case ModelState::Kind::kPolling:
      return "watching " + directories + ", polling " + std::to_string(state.polled) +
             " more for want of inotify watches; sudo sysctl fs.inotify.max_user_watches=" +
             std::to_string(state.needed) + " allows all";
    case ModelState::Kind::kDelegated:
      return "git answers: " + state.message;
    case ModelState::Kind::kFailed:
      return "failed: " + state.message;
  }
  return {};
}

int keep_worktree(const std::string& path, Resident::Listener& listener) {
  // Blocked before any thread starts, so that every thread has them blocked and only sigwait sees
  // them.
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  Resident::Options options;
  options.watch_metadata = true;
  Result<std::unique_ptr<Resident>> resident = Resident::open(path, options, listener);
  if (!resident.ok()) {
    std::fprintf(stderr, "fatal: %s\n", resident.error().message.c_str());
    return 128;
  }
  int signal = 0;
  ::sigwait(&signals, &signal);
  return 0;
}

}  // namespace resident
