// SocketLoop: the one thread of a process that serves all of its sockets.
//
// Threads: add() and remove() from any but the loop's own; every call of a Server is made on the
// loop's thread, one at a time, and must not block.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "base/unique_fd.h"

namespace resident {

class SocketLoop {
 public:
  using Clock = std::chrono::steady_clock;
  using ServerNumber = uint32_t;

  class Server {
   public:
    virtual ~Server() = default;
    // What was asked for with set_events(), an error or an end, of the descriptor called `tag`.
    virtual void on_event(uint32_t tag) = 0;
    // After call().
    virtual void on_called() = 0;
    // When on_due() is to be called; time_point::max(): never.
    virtual Clock::time_point due() const = 0;
    virtual void on_due() = 0;
  };

  static Result<std::shared_ptr<SocketLoop>> of_process();
  ~SocketLoop();

  // For a server that is about to be made.
  ServerNumber next_number() { return ++last_number_; }
  // Calls of it can come from now on: it is complete.
  void add(ServerNumber number, Server& server) EXCLUDES(mutex_);
  // No call of it follows. Its descriptors are to be closed after this.
  void remove(ServerNumber server) EXCLUDES(mutex_);

  // The events (EPOLLIN, EPOLLOUT or none) to be told of a descriptor, until it is closed. By the
  // server's own calls, or before there can be any.
  Result<void> watch(ServerNumber server, uint32_t tag, int descriptor, uint32_t events);
  void set_events(ServerNumber server, uint32_t tag, int descriptor, uint32_t events);

  // Has on_called() called soon. Any thread, also after remove().
  void call(ServerNumber server) EXCLUDES(called_mutex_);

 private:
  SocketLoop(UniqueFd events, UniqueFd wake);
  static Result<std::shared_ptr<SocketLoop>> make();
  void run();
  int time_left() REQUIRES(mutex_);
  void wake();

  const UniqueFd events_;  // epoll(7)
  const UniqueFd wake_;

  // Held while servers are called.
  Mutex mutex_;
  std::map<ServerNumber, Server*> servers_ GUARDED_BY(mutex_);
  std::atomic<ServerNumber> last_number_ = 0;  // 0 is the loop itself
  bool stopped_ GUARDED_BY(mutex_) = false;

  Mutex called_mutex_;
  std::vector<ServerNumber> called_ GUARDED_BY(called_mutex_);

  std::thread thread_;
};

}  // namespace resident
