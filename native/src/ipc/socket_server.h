// SocketServer: answers questions on a socket, one for each connection.
//
// A client that is slow to ask or to take its answer, or does neither, keeps nobody else waiting.
// What waits for clients is bounded: beyond Limits, those that have asked or taken
// nothing for the longest time are dropped.
//
// Several processes can want the same path. Whoever listens keeps it; who takes it, or leaves it,
// holds a lock on its directory meanwhile and removes no socket that anybody else listens on.
//
// Threads: the process's SocketLoop moves bytes and calls the handler, which must not block. No
// call follows the destructor, which removes the socket from its path.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ipc/socket_framing.h"

namespace resident {

class SocketServer {
 public:
  // What a client asks. Nobody is answered where it ends without an answer.
  class Question {
   public:
    virtual ~Question() = default;
    virtual const std::string& payload() const = 0;
    // The process that asks; 0 where it is in another namespace of processes.
    virtual pid_t peer() const = 0;
    // Once, by any thread, also after the server's end.
    virtual void answer(std::string payload) = 0;
    // False where the client is gone, so that an answer would be work for nobody.
    virtual bool is_wanted() const = 0;
  };
  // Does not block. Questions come in the order in which they were asked.
  using Handler = std::function<void(std::shared_ptr<Question>)>;

  struct LateAnswer {
    std::chrono::milliseconds after;
    std::string payload;
  };
  struct Limits {
    size_t clients = 128;
    size_t bytes = size_t{256} << 20;  // of answers that are not taken; a single one may be longer
    // How long a client may neither ask nor take anything. Long, because a client may be without a
    // processor, and costs little.
    std::chrono::milliseconds patience{30'000};
    // What a client is told whose question has waited for so long; it waits for ever without.
    std::optional<LateAnswer> late = std::nullopt;
  };

  virtual ~SocketServer() = default;

  // kInvalid where another process listens on that path already. Does not wait for it.
  static Result<std::unique_ptr<SocketServer>> listen(const std::string& path, Handler handler,
                                                      Limits limits,
                                                      const SocketFraming& framing = kOwnFraming);
  static Result<std::unique_ptr<SocketServer>> listen(const std::string& path, Handler handler) {
    return listen(path, std::move(handler), Limits{});
  }
};

}  // namespace resident
