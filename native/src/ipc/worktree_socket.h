// WorktreeSocket: the socket that answers questions about one worktree. If another process listens
// there, this process listens after the end of the other. A failure to listen is reported.
//
// Threads: one turn at a time, in which `tell` is called. The handler and `wake` are called on the
// process's SocketLoop, not after close() or the destructor.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/now.h"
#include "ipc/listener_end.h"
#include "ipc/socket_server.h"

namespace resident {

class WorktreeSocket {
 public:
  using Clock = std::chrono::steady_clock;

  // `root`: real path of the worktree. `wake`: follow() must be called. `tell`: gets the reason why
  // nobody answers questions.
  WorktreeSocket(std::string root, SocketServer::Handler handler, std::function<void()> wake,
                 std::function<void(std::string)> tell, Now now = steady_now());

  // Listens, or waits for the end of the other listener.
  void listen();
  // Listens if that is due.
  void follow();
  // Next time for follow() without a wake(); time_point::max(): never.
  Clock::time_point due() const { return due_; }
  bool listens() const { return server_ != nullptr; }
  // Stops listening.
  void close();

 private:
  const std::string root_;
  const SocketServer::Handler handler_;
  const std::function<void()> wake_;
  const std::function<void(std::string)> tell_;
  const Now now_;
  std::unique_ptr<SocketServer> server_;
  std::unique_ptr<ListenerEnd> predecessor_;  // the process that listens now
  std::atomic<bool> may_listen_{false};       // predecessor_ has ended
  Clock::time_point due_ = Clock::time_point::max();
  Clock::time_point tried_;  // last failed try
  std::chrono::milliseconds again_;
};

}  // namespace resident
