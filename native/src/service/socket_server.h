// SocketServer: answers questions on a worktree's socket.
//
// A client that is slow to ask or to take its answer, or does neither, keeps nobody else waiting.
// What waits for clients is bounded: beyond Limits, those that have asked or taken
// nothing for the longest time are dropped.
//
// Threads: one of its own moves bytes, another calls the handler, for one question at a time in the
// order in which they came. The destructor stops both and removes the socket; the handler has to
// end by then.
#pragma once

#include <chrono>
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

  struct Limits {
    size_t clients = 128;
    size_t bytes = size_t{256} << 20;  // of answers that are not taken; a single one may be longer
    // How long a client may neither ask nor take anything. Long, because a client may be without a
    // processor, and costs little.
    std::chrono::milliseconds patience{30'000};
  };

  virtual ~SocketServer() = default;

  // kInvalid where another process answers on that path already.
  static Result<std::unique_ptr<SocketServer>> listen(const std::string& path, Handler handler,
                                                      Limits limits);
  static Result<std::unique_ptr<SocketServer>> listen(const std::string& path, Handler handler) {
    return listen(path, std::move(handler), Limits{});
  }
};

}  // namespace resident
