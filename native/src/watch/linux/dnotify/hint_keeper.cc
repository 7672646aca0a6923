#include "watch/linux/dnotify/hint_keeper.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "fs/linux/private_fd_table.h"
#include "os/threads.h"

namespace resident {

namespace {

// Bare system calls: this thread's descriptors can have the same numbers as another thread's. A
// sanitizer knows only one table, and tracks the C library's functions.
int bare_open(const char* path) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, kFlags, 0));
}
void bare_close(int descriptor) {
  (void)::syscall(SYS_close, descriptor);
}

// Returns how many files one table may have open. Raises the soft limit to the hard limit, as
// Node.js does when it starts.
size_t most_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const rlimit raised{limit.rlim_max, limit.rlim_max};
  if (limit.rlim_cur < limit.rlim_max && ::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  return std::min(limit.rlim_cur, static_cast<rlim_t>(HintKeeper::kDescriptors));
}

bool ask_for_hints(int directory, int signal, pid_t receiver) {
  constexpr unsigned kEvents = DN_MODIFY | DN_CREATE | DN_DELETE | DN_RENAME | DN_ATTRIB |
                               static_cast<unsigned>(DN_MULTISHOT);
  const f_owner_ex owner{F_OWNER_TID, receiver};
  return ::fcntl(directory, F_SETSIG, signal) == 0 &&
         ::fcntl(directory, F_SETOWN_EX, &owner) == 0 &&
         ::fcntl(directory, F_NOTIFY, static_cast<unsigned long>(kEvents)) == 0;
}

}  // namespace

Result<std::unique_ptr<HintKeeper>> HintKeeper::start(int signal, pid_t receiver) {
  std::unique_ptr<HintKeeper> keeper(new HintKeeper(signal, receiver));
  RESIDENT_TRY(keeper->thread_, start_thread([self = keeper.get()] { self->work_loop(); }));
  keeper->run([self = keeper.get()] { self->set_up_fd_table(); });
  return keeper;
}

HintKeeper::~HintKeeper() {
  if (!thread_.joinable()) return;
  {
    MutexLock lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void HintKeeper::open(std::span<const std::string> paths, std::vector<int>& descriptors) {
  run([&] {
    for (const std::string& path : paths) {
      if (is_full()) return;
      const int descriptor = open_one(path.c_str());
      if (descriptor < 0 && (errno == EMFILE || errno == ENFILE)) {
        most_ = kept_;
        return;
      }
      if (descriptor >= 0) ++kept_;
      descriptors.push_back(descriptor);
    }
  });
}

int HintKeeper::open_one(const char* path) const {
  const int descriptor = bare_open(path);
  if (descriptor < 0 || ask_for_hints(descriptor, signal_, receiver_)) return descriptor;
  bare_close(descriptor);
  return -1;
}

void HintKeeper::close(const std::vector<int>& descriptors) {
  run([&] {
    for (const int descriptor : descriptors) bare_close(descriptor);
    kept_ -= descriptors.size();
  });
}

void HintKeeper::set_up_fd_table() {
  constexpr size_t kSpare = 8;
  const size_t most = most_open_files();
  has_own_table_ = use_private_fd_table();
  // Half of a shared table is left for all other uses.
  most_ = has_own_table_ ? most - std::min(kSpare, most) : most / 2;
}

void HintKeeper::run(std::function<void()> work) {
  MutexLock lock(mutex_);
  work_ = std::move(work);
  changed_.notify_all();
  while (work_) changed_.wait(lock);
}

void HintKeeper::work_loop() {
  MutexLock lock(mutex_);
  for (;;) {
    while (!work_ && !stops_) changed_.wait(lock);
    if (stops_) return;
    work_();
    work_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace resident
