#include "ipc/socket_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/process_wide.h"
#include "os/threads.h"

namespace resident {

namespace {

constexpr uint64_t key_of(SocketLoop::ServerNumber server, uint32_t tag) {
  return uint64_t{server} << 32 | tag;
}

}  // namespace

Result<std::shared_ptr<SocketLoop>> SocketLoop::of_process() {
  return process_wide<SocketLoop>([] { return make(); });
}

Result<std::shared_ptr<SocketLoop>> SocketLoop::make() {
  UniqueFd events(::epoll_create1(EPOLL_CLOEXEC));
  if (!events.valid()) return error_from_errno(errno, "epoll_create1");
  UniqueFd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.valid()) return error_from_errno(errno, "eventfd");
  epoll_event of_wake{EPOLLIN, {.u64 = 0}};
  if (::epoll_ctl(events.get(), EPOLL_CTL_ADD, wake.get(), &of_wake) != 0) {
    return error_from_errno(errno, "epoll_ctl");
  }
  std::shared_ptr<SocketLoop> made(new SocketLoop(std::move(events), std::move(wake)));
  RESIDENT_TRY(made->thread_, start_thread([loop = made.get()] { loop->run(); }));
  return made;
}

SocketLoop::SocketLoop(UniqueFd events, UniqueFd wake)
    : events_(std::move(events)), wake_(std::move(wake)) {
}

SocketLoop::~SocketLoop() {
  {
    MutexLock lock(mutex_);
    stopped_ = true;
  }
  wake();
  if (thread_.joinable()) thread_.join();
}

void SocketLoop::wake() {
  const uint64_t one = 1;
  (void)!::write(wake_.get(), &one, sizeof one);
}

void SocketLoop::add(ServerNumber number, Server& server) {
  MutexLock lock(mutex_);
  servers_.emplace(number, &server);
}

void SocketLoop::remove(ServerNumber server) {
  MutexLock lock(mutex_);
  servers_.erase(server);
}

Result<void> SocketLoop::watch(ServerNumber server, uint32_t tag, int descriptor, uint32_t events) {
  epoll_event event{events, {.u64 = key_of(server, tag)}};
  if (::epoll_ctl(events_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0) return {};
  return error_from_errno(errno, "epoll_ctl");
}

void SocketLoop::set_events(ServerNumber server, uint32_t tag, int descriptor, uint32_t events) {
  epoll_event event{events, {.u64 = key_of(server, tag)}};
  // Cannot fail for a watched descriptor.
  (void)::epoll_ctl(events_.get(), EPOLL_CTL_MOD, descriptor, &event);
}

void SocketLoop::call(ServerNumber server) {
  {
    MutexLock lock(called_mutex_);
    called_.push_back(server);
  }
  wake();
}

// Milliseconds until the first due server; -1: no server is due.
int SocketLoop::time_left() {
  auto first = Clock::time_point::max();
  for (const auto& [number, server] : servers_) first = std::min(first, server->due());
  if (first == Clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 60'000));
}

void SocketLoop::run() {
  std::array<epoll_event, 64> ready;
  MutexLock lock(mutex_);
  while (!stopped_) {
    const int timeout = time_left();
    lock.unlock();
    const int count = ::epoll_wait(events_.get(), ready.data(), ready.size(), timeout);
    lock.lock();
    if (count < 0 && errno != EINTR) return;
    for (int i = 0; i < count; ++i) {
      const uint64_t key = ready[static_cast<size_t>(i)].data.u64;
      if (key == 0) {
        uint64_t calls = 0;
        (void)!::read(wake_.get(), &calls, sizeof calls);
        continue;
      }
      // A server can be removed, or a client closed, by an earlier event of the same batch.
      const auto server = servers_.find(static_cast<ServerNumber>(key >> 32));
      if (server != servers_.end()) server->second->on_event(static_cast<uint32_t>(key));
    }
    std::vector<ServerNumber> called;
    {
      MutexLock calling(called_mutex_);
      called.swap(called_);
    }
    for (const ServerNumber number : called) {
      const auto server = servers_.find(number);
      if (server != servers_.end()) server->second->on_called();
    }
    const auto now = Clock::now();
    for (const auto& [number, server] : servers_) {
      if (server->due() <= now) server->on_due();
    }
  }
}

}  // namespace resident
