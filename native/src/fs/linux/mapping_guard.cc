#include "fs/mapping_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "base/thread_annotations.h"

namespace resident {

// Never freed, because the handler may be using it; a later guard reuses it. Its `end` is set last
// and cleared first: the handler ignores a mapping without an `end`.
struct GuardedMapping {
  std::atomic<uintptr_t> begin{0};
  std::atomic<uintptr_t> end{0};
  std::atomic<bool> cut{false};
  GuardedMapping* next = nullptr;         // constant after insertion into the list
  GuardedMapping* next_unused = nullptr;  // not used by the handler
};

namespace {

static_assert(std::atomic<uintptr_t>::is_always_lock_free);

std::atomic<GuardedMapping*> mappings{nullptr};
struct sigaction before {};
uintptr_t page_size = 0;

// Maps zeros over the missing part of the file. False: not a guarded mapping, or out of memory.
bool fill_up(uintptr_t address) {
  for (GuardedMapping* at = mappings.load(); at; at = at->next) {
    const uintptr_t end = at->end.load();
    if (end == 0 || address < at->begin.load() || address >= end) continue;
    const uintptr_t page = address & ~(page_size - 1);
    // mmap is a plain system call, safe in a signal handler.
    void* zeros = ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) return false;
    at->cut = true;
    return true;
  }
  return false;
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  if (fill_up(reinterpret_cast<uintptr_t>(info->si_addr))) return;
  if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    return before.sa_handler(signal);
  // The read is retried, and ends the process by default.
  ::signal(SIGBUS, SIG_DFL);
}

void install() {
  page_size = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &before);
}

// Free slots, so that a guard finds one at once among thousands.
Mutex unused_mutex;
GuardedMapping* unused GUARDED_BY(unused_mutex) = nullptr;

GuardedMapping* claim_slot() {
  {
    const MutexLock lock(unused_mutex);
    if (unused) return std::exchange(unused, unused->next_unused);
  }
  auto* added = new GuardedMapping;
  added->next = mappings.load();
  while (!mappings.compare_exchange_weak(added->next, added)) {
  }
  return added;
}

}  // namespace

MappingGuard::MappingGuard(const void* data, size_t size) {
  static std::once_flag installed;
  std::call_once(installed, install);
  mapping_ = claim_slot();
  mapping_->cut = false;
  mapping_->begin = reinterpret_cast<uintptr_t>(data);
  // Rounded up to a page: if the file now ends before the last page, this whole page is missing.
  const uintptr_t end = reinterpret_cast<uintptr_t>(data) + size;
  mapping_->end = (end + page_size - 1) & ~(page_size - 1);
}

MappingGuard::MappingGuard(MappingGuard&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)) {
}

MappingGuard& MappingGuard::operator=(MappingGuard&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  return *this;
}

MappingGuard::~MappingGuard() {
  if (!mapping_) return;
  mapping_->end = 0;
  const MutexLock lock(unused_mutex);
  mapping_->next_unused = std::exchange(unused, mapping_);
}

bool MappingGuard::was_cut() const {
  return mapping_ && mapping_->cut;
}

}  // namespace resident
