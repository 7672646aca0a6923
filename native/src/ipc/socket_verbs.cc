#include "ipc/socket_verbs.h"

namespace resident {

namespace {

// So much of an unknown one is told.
constexpr size_t kMaxNamed = 40;

}  // namespace

Result<SocketVerb> socket_verb(std::string_view payload) {
  const std::string_view name = payload.substr(0, payload.find('\0'));
  for (const SocketVerbRow& row : kSocketVerbs) {
    if (row.name == name) return row.verb;
  }
  return Error{ErrorCode::kUnsupported, "socket: version " + std::to_string(kSocketVersion) +
                                            " has no verb \"" +
                                            std::string(name.substr(0, kMaxNamed)) + "\""};
}

}  // namespace resident
