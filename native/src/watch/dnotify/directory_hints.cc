#include "watch/dnotify/directory_hints.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/process_wide.h"
#include "watch/watch_ids.h"

namespace resident {

namespace {

constexpr uint32_t kHint = 1;

int signal_of_hints() {
  return SIGRTMIN + 5;
}

// By the number of its descriptor, which is nobody else's while it is held.
constexpr WatchId id_of(int descriptor) {
  return kFirstHint + descriptor;
}

// How many directories may be held open. The other half of what this process may open is left to
// everything else.
size_t share_of_descriptors() {
  constexpr rlim_t kMost = 1 << 20;
  static_assert(is_hint(id_of(kMost)));
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  // As Node.js does it when it starts.
  const rlimit raised{limit.rlim_max, limit.rlim_max};
  if (limit.rlim_cur < limit.rlim_max && ::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  return std::min(limit.rlim_cur, kMost) / 2;
}

bool ask_for_hints(int directory, pid_t thread) {
  constexpr unsigned kEvents = DN_MODIFY | DN_CREATE | DN_DELETE | DN_RENAME | DN_ATTRIB |
                               static_cast<unsigned>(DN_MULTISHOT);
  const f_owner_ex owner{F_OWNER_TID, thread};
  return ::fcntl(directory, F_SETSIG, signal_of_hints()) == 0 &&
         ::fcntl(directory, F_SETOWN_EX, &owner) == 0 &&
         ::fcntl(directory, F_NOTIFY, static_cast<unsigned long>(kEvents)) == 0;
}

}  // namespace

Result<std::shared_ptr<DirectoryHints>> DirectoryHints::of_process() {
  return process_wide<DirectoryHints>([] { return make(); });
}

Result<std::shared_ptr<DirectoryHints>> DirectoryHints::make() {
  sigset_t hints;
  ::sigemptyset(&hints);
  ::sigaddset(&hints, signal_of_hints());
  UniqueFd signals(::signalfd(-1, &hints, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!signals.valid()) return error_from_errno(errno, "signalfd");
  std::shared_ptr<DirectoryHints> made(
      new DirectoryHints(std::move(signals), share_of_descriptors()));
  RESIDENT_CHECK(made->start());
  made->reader_.wait(0);
  return made;
}

DirectoryHints::DirectoryHints(UniqueFd signals, size_t most)
    : WatchQueue(std::move(signals), {"hints were lost", "reading the signals of hints failed",
                                      "poll on the signals of hints failed"}),
      most_(most) {
}

void DirectoryHints::begin_reading() {
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, signal_of_hints());
  // Sent where one of the others cannot be queued.
  ::sigaddset(&blocked, SIGIO);
  ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  reader_ = static_cast<pid_t>(::syscall(SYS_gettid));
  reader_.notify_all();
}

WatchId DirectoryHints::add(WatcherNumber watcher, Directory directory) {
  const int descriptor = static_cast<int>(directory.handle());
  Result<Watcher::Added> added = WatchQueue::add(
      watcher, kHint, "fcntl", [&] { return ask_for_hints(descriptor, reader_) ? 0 : errno; },
      [&]() NO_THREAD_SAFETY_ANALYSIS {
        if (held_.size() >= most_) return kNoWatch;
        held_.emplace(id_of(descriptor), std::move(directory));
        return id_of(descriptor);
      });
  return added.ok() ? added->id : kNoWatch;
}

void DirectoryHints::end_watches(const std::vector<WatchId>& watches) {
  std::vector<Directory> ended;
  MutexLock lock(mutex_);
  for (const WatchId id : watches) {
    if (auto held = held_.extract(id)) ended.push_back(std::move(held.mapped()));
  }
}

void DirectoryHints::take(std::span<const char> events) {
  signalfd_siginfo told;
  for (; events.size() >= sizeof told; events = events.subspan(sizeof told)) {
    std::memcpy(&told, events.data(), sizeof told);
    const bool is_hint = told.ssi_code == POLL_MSG && told.ssi_fd >= 0;
    if (is_hint) mark(id_of(told.ssi_fd), "", {}, kHint);
  }
}

}  // namespace resident
