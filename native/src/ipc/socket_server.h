// SocketServer: answers questions on a socket, one for each connection.
//
// A client that is slow to ask or to read its answer delays no other client. An answer is sent in
// pieces, from the string that answer() took. The waiting data is bounded: beyond Limits, the
// clients without progress for the longest time are dropped.
//
// Several processes can want the same path. The first listener keeps it. A process locks the
// directory while it takes or leaves the path. It never removes another listener's socket.
//
// Threads: the process's SocketLoop moves bytes and calls the handler, which must not block. The
// destructor removes the socket from its path, and no call follows.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ipc/socket_framing.h"
#include "os/process.h"

namespace resident {

class SocketServer {
 public:
  // A client's question. If it is destroyed without an answer, the client gets none.
  class Question {
   public:
    virtual ~Question() = default;
    virtual const std::string& payload() const = 0;
    // The client's process id; 0: it is in another pid namespace.
    virtual ProcessId peer() const = 0;
    // Call once, on any thread; also after the server's end.
    virtual void answer(std::string payload) = 0;
    // False: the client is gone, and needs no answer.
    virtual bool is_wanted() const = 0;
  };
  // Must not block. Called in the order of the questions.
  using Handler = std::function<void(std::shared_ptr<Question>)>;

  struct LateAnswer {
    std::chrono::milliseconds after;
    std::string payload;
  };
  struct Limits {
    size_t clients = 128;
    // Memory of long answers until they are read to the end. A single answer may exceed this.
    size_t bytes = size_t{256} << 20;
    // Time limit without progress of a client. Long, because a client can lack CPU time, and costs
    // little.
    std::chrono::milliseconds patience{30'000};
    // Answer to a question that waited too long; nullopt: no time limit.
    std::optional<LateAnswer> late = std::nullopt;
  };

  virtual ~SocketServer() = default;

  // kInvalid: another process already listens on that path. Does not wait for that process.
  static Result<std::unique_ptr<SocketServer>> listen(const std::string& path, Handler handler,
                                                      Limits limits,
                                                      const SocketFraming& framing = kOwnFraming);
  static Result<std::unique_ptr<SocketServer>> listen(const std::string& path, Handler handler) {
    return listen(path, std::move(handler), Limits{});
  }
};

}  // namespace resident
