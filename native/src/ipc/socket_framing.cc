#include "ipc/socket_framing.h"

#include <cstdint>

#include "base/bytes.h"
#include "ipc/socket_protocol.h"

namespace resident {

namespace {

constexpr size_t kSizeField = 4;
constexpr size_t kMaxQuestion = size_t{1} << 20;
// A copy of a short answer behind its header saves a write.
constexpr size_t kMaxCopied = size_t{16} << 10;

Result<std::optional<std::string>> question_in_message(std::string_view bytes) {
  if (bytes.size() < kSizeField) return std::optional<std::string>();
  const size_t size = load_be32(as_bytes(bytes).data());
  if (size > kMaxQuestion || bytes.size() > kSizeField + size) {
    return Error{ErrorCode::kCorrupt, "socket: invalid message length"};
  }
  if (bytes.size() < kSizeField + size) return std::optional<std::string>();
  return std::optional<std::string>(bytes.substr(kSizeField));
}

std::optional<FramedAnswer> answer_as_message(std::string answer) {
  if (answer.size() > kMaxMessage) return std::nullopt;
  FramedAnswer framed{message_header(answer.size()), std::move(answer)};
  if (framed.rest.size() <= kMaxCopied) {
    framed.header += framed.rest;
    framed.rest.clear();
  }
  return framed;
}

}  // namespace

const SocketFraming kOwnFraming{kGreeting, kSizeField + kMaxQuestion, question_in_message,
                                answer_as_message};

}  // namespace resident
