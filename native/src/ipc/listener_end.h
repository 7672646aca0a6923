// ListenerEnd: tells when the process that listens on a socket does so no longer, however it ended:
// a connection to it is closed then.
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
  // `ended` is called once. It can be called though the process still listens, where that does not
  // keep the connection. kNotFound: nobody listens there.
  static Result<std::unique_ptr<ListenerEnd>> watch(const std::string& path,
                                                    std::function<void()> ended);
  virtual ~ListenerEnd() = default;
};

}  // namespace resident
