#include "ipc/socket_verbs.h"

#include <algorithm>

namespace resident {

namespace {

// Longest part of an unknown verb in the error message.
constexpr size_t kMaxNamed = 40;

}  // namespace

Result<SocketVerb> parse_verb(std::string_view& message) {
  const std::string_view name = message.substr(0, message.find('\0'));
  message.remove_prefix(std::min(message.size(), name.size() + 1));
  for (const SocketVerbRow& row : kSocketVerbs) {
    if (row.name == name) return row.verb;
  }
  return Error{ErrorCode::kUnsupported, "socket: version " + std::to_string(kSocketVersion) +
                                            " has no verb \"" +
                                            std::string(name.substr(0, kMaxNamed)) + "\""};
}

}  // namespace resident
