// GitSocket: the socket of git's own daemon in one git directory, answered in the daemon's place:
// git with core.fsmonitor=true asks there what changed.
//
// A daemon that listens there already is told to quit. Where another takes the place again and
// again, and where git tells us to quit (`git fsmonitor--daemon stop`), it is left alone, which is
// told.
//
// Threads: one turn at a time, in which `tell` is called; the handler and `wake` are called on the
// process's SocketLoop, not after close() or the destructor.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/now.h"
#include "base/unique_fd.h"
#include "ipc/socket_server.h"

namespace resident {

class GitSocket {
 public:
  using Clock = std::chrono::steady_clock;

  // `handler`: is asked with git's token; what it answers is as monitor_answer(). One that does not
  // answer within a second is answered for it: everything changed. `wake`: follow() is to be
  // called. `tell`: why git is not answered.
  GitSocket(std::string git_dir, SocketServer::Handler handler, std::function<void()> wake,
            std::function<void(std::string)> tell, Now now = steady_now());

  // Whether to listen, from now on. What is wanted anew is tried anew.
  void want(bool wanted);
  // Does what is due by now.
  void follow();
  // When follow() is due unasked; time_point::max(): never.
  Clock::time_point due() const { return due_; }
  bool listens() const { return server_ != nullptr; }
  // Listens no more.
  void close();

 private:
  void listen();
  void try_again(const char* why);
  void give_up(const std::string& why);
  // What leads there and is short enough for the address of a socket.
  std::string address_of_path();

  const std::string git_dir_;
  const std::string path_;
  const SocketServer::Handler handler_;
  const std::function<void()> wake_;
  const std::function<void(std::string)> tell_;
  const Now now_;
  bool wanted_ = false;
  UniqueFd directory_;  // in the server's address, where that would be too long
  std::unique_ptr<SocketServer> server_;
  // To a daemon that was told to quit: it does not hear who says so and hangs up at once.
  UniqueFd daemon_;
  std::atomic<bool> is_to_quit_{false};  // git said so
  Clock::time_point due_ = Clock::time_point::max();
  std::optional<Clock::time_point> tries_since_;
  std::chrono::milliseconds next_try_;
};

}  // namespace resident
