// SocketFraming: the format of questions and answers on a socket.
//
// Threads: any; stateless functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace resident {

// The bytes to send for an answer: the header, then the rest.
struct FramedAnswer {
  std::string header;
  std::string rest;
};

struct SocketFraming {
  std::string_view greeting;  // sent first to each new client
  // Limit in bytes of a question with its framing.
  size_t longest_question;
  // Returns the question if `bytes` hold a complete question; nullopt: more must come. Error:
  // invalid start of a question.
  Result<std::optional<std::string>> (*question_in)(std::string_view bytes);
  // nullopt: the answer is too long.
  std::optional<FramedAnswer> (*framed)(std::string answer);
};

// Framing of socket_protocol.h.
extern const SocketFraming kOwnFraming;

}  // namespace resident
