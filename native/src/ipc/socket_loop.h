// SocketLoop: one thread that serves all sockets of a process.
//
// Threads: call add() and remove() from any thread except the loop's. Every call of a Server is
// made on the loop's thread, one at a time, and must not block.
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
#include "os/event_loop.h"

namespace resident {

class SocketLoop {
 public:
  using Clock = std::chrono::steady_clock;
  using ServerNumber = uint32_t;

  class Server {
   public:
    virtual ~Server() = default;
    // An event of descriptor `tag`: a requested event of set_events(), an error, or the end.
    virtual void on_event(uint32_t tag) = 0;
    // Called after call().
    virtual void on_called() = 0;
    // Next time for on_due(); time_point::max(): never.
    virtual Clock::time_point due() const = 0;
    virtual void on_due() = 0;
  };

  static Result<std::shared_ptr<SocketLoop>> of_process();
  ~SocketLoop();

  // The number of a server that is not constructed yet.
  ServerNumber next_number() { return ++last_number_; }
  // Starts calls of a complete server.
  void add(ServerNumber number, Server& server) EXCLUDES(mutex_);
  // Stops calls of a server. Close its descriptors only after this.
  void remove(ServerNumber server) EXCLUDES(mutex_);

  // Registers the events (kReadable, kWritable or none) of a descriptor until it is closed. Call
  // these from the server's own calls, or before its first call.
  Result<void> watch(ServerNumber server, uint32_t tag, int descriptor, Events events);
  void set_events(ServerNumber server, uint32_t tag, int descriptor, Events events);

  // Requests a call of on_called(). Any thread, also after remove().
  void call(ServerNumber server) EXCLUDES(called_mutex_);

 private:
  SocketLoop(EventQueue events, Wakeup wake);
  static Result<std::shared_ptr<SocketLoop>> make();
  void run();
  int time_left() REQUIRES(mutex_);

  EventQueue events_;
  const Wakeup wake_;

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
