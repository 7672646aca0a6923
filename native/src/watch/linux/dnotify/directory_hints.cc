#include "watch/linux/dnotify/directory_hints.h"

#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/process_wide.h"
#include "watch/watch_ids.h"

namespace resident {

namespace {

constexpr uint32_t kHint = 1;
constexpr size_t kMaxKeepers = 8;

// Each keeper has a signal of its own, since a descriptor's number is one of its table.
int signal_of(size_t keeper) {
  return SIGRTMIN + 5 + static_cast<int>(keeper);
}
WatchId id_of(size_t keeper, int descriptor) {
  return kFirstHint + static_cast<int>(keeper) * HintKeeper::kDescriptors + descriptor;
}
static_assert(kMaxKeepers * HintKeeper::kDescriptors <= size_t{kHintsEnd - kFirstHint});

sigset_t signals_of_hints() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (size_t keeper = 0; keeper < kMaxKeepers; ++keeper) {
    ::sigaddset(&signals, signal_of(keeper));
  }
  return signals;
}

}  // namespace

Result<std::shared_ptr<DirectoryHints>> DirectoryHints::of_process() {
  return process_wide<DirectoryHints>([] { return make(); });
}

Result<std::shared_ptr<DirectoryHints>> DirectoryHints::make() {
  const sigset_t hints = signals_of_hints();
  UniqueFd signals(::signalfd(-1, &hints, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!signals.valid()) return error_from_errno(errno, "signalfd");
  std::shared_ptr<DirectoryHints> made(new DirectoryHints(
      std::move(signals),
      {"", "reading the change hints failed", "poll on the change hints failed"}));
  RESIDENT_CHECK(made->start());
  made->reader_.wait(0);
  return made;
}

void DirectoryHints::begin_reading() {
  sigset_t blocked = signals_of_hints();
  // Sent where one of the others cannot be queued.
  ::sigaddset(&blocked, SIGIO);
  ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  reader_ = static_cast<pid_t>(::syscall(SYS_gettid));
  reader_.notify_all();
}

size_t DirectoryHints::find_room() {
  size_t number = 0;
  for (; number < keepers_.size(); ++number) {
    if (!keepers_[number]->is_full()) return number;
  }
  // A shared table would be the same once more.
  const bool is_shared = number > 0 && !keepers_.back()->has_own_table();
  if (is_shared || number == kMaxKeepers) return number;
  Result<std::unique_ptr<HintKeeper>> keeper = HintKeeper::start(signal_of(number), reader_);
  if (keeper.ok()) keepers_.push_back(std::move(keeper).value());
  return number;
}

std::vector<WatchId> DirectoryHints::add(WatcherNumber watcher,
                                         std::span<const std::string> directories) {
  SharedLock adding(adding_);
  std::vector<WatchId> ids;
  MutexLock keeping(keepers_mutex_);
  while (ids.size() < directories.size()) {
    const size_t number = find_room();
    if (number == keepers_.size()) break;
    std::vector<int> descriptors;
    descriptors.reserve(directories.size() - ids.size());
    keepers_[number]->open(directories.subspan(ids.size()), descriptors);
    for (const int descriptor : descriptors) {
      ids.push_back(descriptor < 0 ? kNoWatch : id_of(number, descriptor));
    }
  }
  MutexLock lock(mutex_);
  for (const WatchId id : ids) {
    if (id != kNoWatch) watches_.add(id, watcher, kHint);
  }
  return ids;
}

void DirectoryHints::end_watches(const std::vector<WatchId>& watches) {
  std::array<std::vector<int>, kMaxKeepers> ended;
  for (const WatchId id : watches) {
    const int place = id - kFirstHint;
    const auto keeper = static_cast<size_t>(place / HintKeeper::kDescriptors);
    ended[keeper].push_back(place % HintKeeper::kDescriptors);
  }
  MutexLock keeping(keepers_mutex_);
  for (size_t keeper = 0; keeper < keepers_.size(); ++keeper) {
    if (!ended[keeper].empty()) keepers_[keeper]->close(ended[keeper]);
  }
}

void DirectoryHints::take(std::span<const char> events) {
  signalfd_siginfo told;
  for (; events.size() >= sizeof told; events = events.subspan(sizeof told)) {
    std::memcpy(&told, events.data(), sizeof told);
    const auto keeper = static_cast<size_t>(static_cast<int>(told.ssi_signo) - signal_of(0));
    const bool is_hint = told.ssi_code == POLL_MSG && keeper < kMaxKeepers && told.ssi_fd >= 0 &&
                         told.ssi_fd < HintKeeper::kDescriptors;
    if (is_hint) mark(id_of(keeper, told.ssi_fd), "", {}, kHint);
  }
}

}  // namespace resident
