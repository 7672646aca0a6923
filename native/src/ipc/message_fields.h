// Fields of the socket's messages: bytes that end in NUL.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace resident {

// Returns the field before the next NUL; nullopt without a NUL.
inline std::optional<std::string_view> parse_field(std::string_view& rest) {
  const size_t end = rest.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return field;
}

inline void add_field(std::string& out, std::string_view field) {
  out.append(field).push_back('\0');
}

// The reply "error" to a question of any verb. `message` is for users.
inline std::string encode_error(std::string_view message) {
  std::string out;
  add_field(out, "error");
  return out.append(message);
}

inline Error malformed_message() {
  return Error{ErrorCode::kCorrupt, "socket: malformed message"};
}

}  // namespace resident
