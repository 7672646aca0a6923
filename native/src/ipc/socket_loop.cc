#include "ipc/socket_loop.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/process_wide.h"
#include "os/threads.h"

namespace resident {

namespace {

// The key of the loop's own wakeup.
constexpr uint64_t kOfLoop = 0;

constexpr uint64_t key_of(SocketLoop::ServerNumber server, uint32_t tag) {
  return uint64_t{server} << 32 | tag;
}

}  // namespace

Result<std::shared_ptr<SocketLoop>> SocketLoop::of_process() {
  return process_wide<SocketLoop>([] { return make(); });
}

Result<std::shared_ptr<SocketLoop>> SocketLoop::make() {
  RESIDENT_TRY(EventQueue events, EventQueue::make());
  RESIDENT_TRY(Wakeup wake, Wakeup::make());
  RESIDENT_CHECK(events.add(wake.fd(), kReadable, kOfLoop));
  std::shared_ptr<SocketLoop> made(new SocketLoop(std::move(events), std::move(wake)));
  RESIDENT_TRY(made->thread_, start_thread([loop = made.get()] { loop->run(); }));
  return made;
}

SocketLoop::SocketLoop(EventQueue events, Wakeup wake)
    : events_(std::move(events)), wake_(std::move(wake)) {
}

SocketLoop::~SocketLoop() {
  {
    MutexLock lock(mutex_);
    stopped_ = true;
  }
  wake_.wake();
  if (thread_.joinable()) thread_.join();
}

void SocketLoop::add(ServerNumber number, Server& server) {
  MutexLock lock(mutex_);
  servers_.emplace(number, &server);
}

void SocketLoop::remove(ServerNumber server) {
  MutexLock lock(mutex_);
  servers_.erase(server);
}

Result<void> SocketLoop::watch(ServerNumber server, uint32_t tag, int descriptor, Events events) {
  return events_.add(descriptor, events, key_of(server, tag));
}

void SocketLoop::set_events(ServerNumber server, uint32_t tag, int descriptor, Events events) {
  events_.change(descriptor, events, key_of(server, tag));
}

void SocketLoop::call(ServerNumber server) {
  {
    MutexLock lock(called_mutex_);
    called_.push_back(server);
  }
  wake_.wake();
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
  std::span<const uint64_t> ready;
  MutexLock lock(mutex_);
  while (!stopped_) {
    const int timeout = time_left();
    lock.unlock();
    const bool waited = events_.wait(timeout, ready);
    lock.lock();
    if (!waited) return;
    for (const uint64_t key : ready) {
      if (key == kOfLoop) {
        wake_.clear();
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
