// SocketServer: answers questions on a worktree's socket.
//
// Threads: one of its own accepts, one client at a time, and calls the handler. The destructor
// stops it and removes the socket.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace resident {

class SocketServer {
 public:
  // From the payload of a question to the payload of its answer.
  using Handler = std::function<std::string(std::string_view)>;

  virtual ~SocketServer() = default;

  // kInvalid where another process answers on that path already.
  static Result<std::unique_ptr<SocketServer>> listen(const std::string& path, Handler handler);
};

}  // namespace resident
