// ListenerEnd: reports when the process that listens on a socket stops listening, for any reason. A
// connection to it is closed at that time.
//
// Threads: `ended` is called on the process's SocketLoop, not after the destructor, and must not
// block.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"

namespace resident {

class ListenerEnd {
 public:
  // Calls `ended` once. If the process drops the connection, `ended` is called although the process
  // still listens. kNotFound: nobody listens there.
  static Result<std::unique_ptr<ListenerEnd>> watch(const std::string& path,
                                                    std::function<void()> ended);
  virtual ~ListenerEnd() = default;
};

}  // namespace resident
