// SocketFraming: how a question and its answer are told apart from other bytes on a socket.
//
// Threads: functions without a state, any.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace resident {

struct SocketFraming {
  std::string_view greeting;  // said to whoever connects, before anything
  // So many bytes may come before a question is whole.
  size_t longest_question;
  // The question, once the bytes that came are a whole one; nullopt: more is to come. An error: no
  // question begins like that.
  Result<std::optional<std::string>> (*question_in)(std::string_view bytes);
  // Whether it is no question: who says it waits for the end of the connection.
  bool (*awaits_end)(std::string_view question);
  // What is sent for an answer; nullopt where it is too long to be sent.
  std::optional<std::string> (*framed)(std::string_view answer);
};

// That of socket_protocol.h.
extern const SocketFraming kOwnFraming;

}  // namespace resident
