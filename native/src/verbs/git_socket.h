// GitSocket: replaces git's own daemon on its socket in one git directory. A git with
// core.fsmonitor=true asks there which files changed.
//
// A daemon that already listens gets a request to quit. GitSocket gives up, and reports the reason,
// if another process takes the path again and again. It also does so if git tells us to quit (`git
// fsmonitor--daemon stop`).
//
// Threads: one turn at a time, in which `tell` is called. The handler and `wake` are called on the
// process's SocketLoop, not after close() or the destructor.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/now.h"
#include "ipc/socket_server.h"
#include "os/unique_fd.h"

namespace resident {

class GitSocket {
 public:
  using Clock = std::chrono::steady_clock;

  // `handler` gets git's token, and answers in the format of monitor_answer(). After a second
  // without an answer the server answers that everything changed. Call follow() after `wake`. The
  // reason why git is not answered goes to `tell`.
  GitSocket(std::string git_dir, SocketServer::Handler handler, std::function<void()> wake,
            std::function<void(std::string)> tell, Now now = steady_now());

  // Starts or stops listening. Each new start begins a new series of tries.
  void want(bool wanted);
  // Does the due work.
  void follow();
  // Next time for follow() without a wake(); time_point::max(): never.
  Clock::time_point due() const { return due_; }
  bool listens() const { return server_ != nullptr; }
  // Stops listening.
  void close();

 private:
  void listen();
  void try_again(const char* why);
  void give_up(const std::string& why);
  // A name of the path that is short enough for a socket address.
  std::string address_of_path();

  const std::string git_dir_;
  const std::string path_;
  const SocketServer::Handler handler_;
  const std::function<void()> wake_;
  const std::function<void(std::string)> tell_;
  const Now now_;
  bool wanted_ = false;
  UniqueFd directory_;  // part of the server's address if the path is too long
  std::unique_ptr<SocketServer> server_;
  // Connection to a daemon that was told to quit. The daemon ignores a client that disconnects at
  // once.
  UniqueFd daemon_;
  std::atomic<bool> is_to_quit_{false};  // git sent "quit"
  Clock::time_point due_ = Clock::time_point::max();
  std::optional<Clock::time_point> tries_since_;
  std::chrono::milliseconds next_try_;
};

}  // namespace resident
