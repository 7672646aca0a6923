// WorktreeSocket: the socket on which questions about one worktree are answered. Where another
// process listens there, this one does once that has ended. Where none can, why is told.
//
// Threads: one turn at a time, in which `tell` is called; the handler and `wake` are called on the
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

  // `root`: the worktree's, a real path. `wake`: follow() is to be called. `tell`: why nobody
  // answers questions.
  WorktreeSocket(std::string root, SocketServer::Handler handler, std::function<void()> wake,
                 std::function<void(std::string)> tell, Now now = steady_now());

  // Listens, or waits for the end of who does.
  void listen();
  // Listens where that is due by now.
  void follow();
  // When follow() is due unasked; time_point::max(): never.
  Clock::time_point due() const { return due_; }
  bool listens() const { return server_ != nullptr; }
  // Listens no more.
  void close();

 private:
  const std::string root_;
  const SocketServer::Handler handler_;
  const std::function<void()> wake_;
  const std::function<void(std::string)> tell_;
  const Now now_;
  std::unique_ptr<SocketServer> server_;
  std::unique_ptr<ListenerEnd> predecessor_;  // the process that listens in place of this one
  std::atomic<bool> may_listen_{false};       // it has ended
  Clock::time_point due_ = Clock::time_point::max();
  Clock::time_point tried_;  // when it was last tried in vain
  std::chrono::milliseconds again_;
};

}  // namespace resident
