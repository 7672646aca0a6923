#include "ipc/socket_protocol.h"

#include <array>
#include <cerrno>
#include <chrono>

#include "base/bytes.h"
#include "os/event_loop.h"
#include "os/local_socket.h"

namespace resident {

namespace {

// Timeout to accept and greet: a stopped process must not block its clients.
constexpr std::chrono::milliseconds kPatience{2000};
constexpr std::chrono::milliseconds kForever{0};

}  // namespace

Result<void> send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const IoResult sent = send_some(socket, bytes.data(), bytes.size());
    if (sent.state != IoResult::State::kSome) return error_from_errno(sent.error, "socket");
    bytes.remove_prefix(sent.count);
  }
  return {};
}

Result<std::string> receive_exactly(int socket, size_t count) {
  constexpr size_t kChunk = 1 << 20;
  std::string bytes;
  while (bytes.size() < count) {
    const size_t filled = bytes.size();
    bytes.resize(filled + std::min(count - filled, kChunk));
    const IoResult got = receive_some(socket, bytes.data() + filled, bytes.size() - filled);
    if (got.state == IoResult::State::kClosed) {
      return Error{ErrorCode::kIo, "socket: closed in the middle of a message"};
    }
    if (got.state != IoResult::State::kSome) return error_from_errno(got.error, "socket");
    bytes.resize(filled + got.count);
  }
  return bytes;
}

std::string message_header(size_t size) {
  return {static_cast<char>(size >> 24), static_cast<char>(size >> 16),
          static_cast<char>(size >> 8), static_cast<char>(size)};
}

Result<void> send_message(int socket, std::string_view payload) {
  if (payload.size() > kMaxMessage)
    return Error{ErrorCode::kInvalid, "socket: the message is too long"};
  return send_all(socket, message_header(payload.size()).append(payload));
}

Result<std::string> receive_message(int socket, uint32_t limit) {
  RESIDENT_TRY(std::string header, receive_exactly(socket, 4));
  const uint32_t size = load_be32(as_bytes(header).data());
  if (size > limit)
    return Error{ErrorCode::kCorrupt,
                 "socket: the message is too long: " + std::to_string(size) + " bytes"};
  return receive_exactly(socket, size);
}

Result<UniqueFd> reach(const std::string& path) {
  return connect_local(path, SocketMode::kNonBlocking, kPatience);
}

Result<UniqueFd> connect_to(const std::string& path) {
  RESIDENT_TRY(UniqueFd socket, connect_local(path, SocketMode::kBlocking, kPatience));
  std::array<Awaited, 1> greeted{{{socket.get(), kReadable}}};
  if (wait_for(greeted, static_cast<int>(kPatience.count())) && greeted[0].ready == 0) {
    return Error{ErrorCode::kIo, path + ": the listening process sends no greeting"};
  }
  Result<std::string> greeting = receive_exactly(socket.get(), kGreeting.size());
  // The listener ended just now.
  if (!greeting.ok())
    return Error{ErrorCode::kNotFound, path + ": no process listens on this socket"};
  set_receive_timeout(socket.get(), kForever);
  set_send_timeout(socket.get(), kForever);
  if (*greeting != kGreeting) {
    return Error{ErrorCode::kUnsupported,
                 path + ": a resident process of a different version listens on this socket"};
  }
  return socket;
}

}  // namespace resident
