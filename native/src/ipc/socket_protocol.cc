#include "ipc/socket_protocol.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/bytes.h"

namespace resident {

namespace {

// How long a process may take to accept and greet: one that is stopped must keep nobody waiting.
constexpr timeval kPatience{2, 0};
constexpr timeval kForever{0, 0};

void set_patience(int socket, const timeval& patience) {
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

Result<UniqueFd> connect_by(const std::string& path, int flags) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return Error{ErrorCode::kInvalid, path + ": the path is too long for a socket"};
  std::memcpy(address.sun_path, path.data(), path.size());
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
  if (!socket.valid()) return error_from_errno(errno, path);
  set_patience(socket.get(), kPatience);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno == ECONNREFUSED) errno = ENOENT;
    return error_from_errno(errno, path);
  }
  if (!peer_of_same_user(socket.get())) {
    return Error{ErrorCode::kUnsafe, path + ": another user listens on this socket"};
  }
  return socket;
}

}  // namespace

std::optional<pid_t> peer_of_same_user(int socket) {
  ucred peer;
  socklen_t length = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return std::nullopt;
  return peer.uid == ::getuid() ? std::optional(peer.pid) : std::nullopt;
}

Result<void> send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return error_from_errno(errno, "socket");
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return {};
}

Result<std::string> receive_exactly(int socket, size_t count) {
  constexpr size_t kChunk = 1 << 20;
  std::string bytes;
  while (bytes.size() < count) {
    const size_t filled = bytes.size();
    bytes.resize(filled + std::min(count - filled, kChunk));
    ssize_t received = ::recv(socket, bytes.data() + filled, bytes.size() - filled, 0);
    if (received < 0 && errno == EINTR)
      received = 0;
    else if (received < 0)
      return error_from_errno(errno, "socket");
    else if (received == 0)
      return Error{ErrorCode::kIo, "socket: closed in the middle of a message"};
    bytes.resize(filled + static_cast<size_t>(received));
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
  return connect_by(path, SOCK_NONBLOCK);
}

Result<UniqueFd> connect_to(const std::string& path) {
  RESIDENT_TRY(UniqueFd socket, connect_by(path, 0));
  pollfd ready{socket.get(), POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(kPatience.tv_sec) * 1000) == 0) {
    return Error{ErrorCode::kIo, path + ": the listening process sends no greeting"};
  }
  Result<std::string> greeting = receive_exactly(socket.get(), kGreeting.size());
  // It was just about to end.
  if (!greeting.ok())
    return Error{ErrorCode::kNotFound, path + ": no process listens on this socket"};
  set_patience(socket.get(), kForever);
  if (*greeting != kGreeting) {
    return Error{ErrorCode::kUnsupported,
                 path + ": a resident process of a different version listens on this socket"};
  }
  return socket;
}

}  // namespace resident
