#include "verbs/git_socket_framing.h"

#include <charconv>
#include <cstddef>

namespace resident {

namespace {

constexpr size_t kPacketHeader = 4;
constexpr size_t kLongestPacket = 65'520;
constexpr size_t kLongestQuestion = size_t{64} << 10;
constexpr std::string_view kLastPacket = "0000";

Error malformed_packets() {
  return {ErrorCode::kCorrupt, "socket: malformed packets from git"};
}

Result<std::optional<std::string>> question_in_packets(std::string_view bytes) {
  std::string question;
  while (bytes.size() >= kPacketHeader) {
    size_t length = 0;
    const char* const end = bytes.data() + kPacketHeader;
    if (std::from_chars(bytes.data(), end, length, 16).ptr != end) return malformed_packets();
    if (length == 0) {
      if (bytes.size() > kPacketHeader) return malformed_packets();
      return std::optional(std::move(question));
    }
    if (length < kPacketHeader || length > kLongestPacket) return malformed_packets();
    if (bytes.size() < length) break;
    question += bytes.substr(kPacketHeader, length - kPacketHeader);
    bytes.remove_prefix(length);
  }
  return std::optional<std::string>();
}

std::optional<FramedAnswer> answer_in_packets(std::string answer) {
  return FramedAnswer{"", in_packets(answer)};
}

void add_header(std::string& out, size_t length) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[length >> shift & 15];
}

}  // namespace

const SocketFraming kGitFraming{"", kLongestQuestion, question_in_packets, answer_in_packets};

std::string in_packets(std::string_view bytes) {
  constexpr size_t kMax = kLongestPacket - kPacketHeader;
  std::string out;
  out.reserve(bytes.size() + (bytes.size() / kMax + 2) * kPacketHeader);
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kMax);
    add_header(out, part.size() + kPacketHeader);
    out += part;
    bytes.remove_prefix(part.size());
  }
  return out += kLastPacket;
}

}  // namespace resident
