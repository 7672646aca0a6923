#include "os/local_socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "os/posix/io_result.h"
#include "os/user.h"

namespace resident {

namespace {

constexpr int kMaxWaitingClients = 64;

Result<sockaddr_un> address_of(const std::string& path) {
  if (!fits_socket_address(path)) {
    return Error{ErrorCode::kInvalid, path + ": the path is too long for a socket"};
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

}  // namespace

std::string short_socket_address(const std::string& directory, std::string_view name,
                                 UniqueFd& holds) {
  holds.reset(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  return "/proc/self/fd/" + std::to_string(holds.get()) + "/" + std::string(name);
}

Result<UniqueFd> connect_local(const std::string& path, SocketMode mode,
                               std::chrono::milliseconds patience) {
  RESIDENT_TRY(const sockaddr_un address, address_of(path));
  const int flags = SOCK_CLOEXEC | (mode == SocketMode::kNonBlocking ? SOCK_NONBLOCK : 0);
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | flags, 0));
  if (!socket.valid()) return error_from_errno(errno, path);
  set_receive_timeout(socket.get(), patience);
  set_send_timeout(socket.get(), patience);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return error_from_errno(errno == ECONNREFUSED ? ENOENT : errno, path);
  }
  if (!peer_of_same_user(socket.get())) {
    return Error{ErrorCode::kUnsafe, path + ": another user listens on this socket"};
  }
  return socket;
}

Result<UniqueFd> listen_local(const std::string& path) {
  RESIDENT_TRY(const sockaddr_un address, address_of(path));
  ::unlink(path.c_str());
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return error_from_errno(errno, path);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::chmod(path.c_str(), 0600) != 0 || ::listen(socket.get(), kMaxWaitingClients) != 0) {
    return error_from_errno(errno, path);
  }
  return socket;
}

AcceptedSocket accept_local(int listener) {
  AcceptedSocket accepted;
  accepted.socket.reset(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  accepted.lacks_resources = !accepted.socket.valid() && (errno == EMFILE || errno == ENFILE ||
                                                          errno == ENOBUFS || errno == ENOMEM);
  return accepted;
}

std::optional<ProcessId> peer_of_same_user(int socket) {
  ucred peer;
  socklen_t length = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return std::nullopt;
  return peer.uid == real_user_id() ? std::optional<ProcessId>(peer.pid) : std::nullopt;
}

IoResult send_some(int socket, const void* bytes, size_t size) {
  return io_result(size, [&] { return ::send(socket, bytes, size, MSG_NOSIGNAL); });
}

}  // namespace resident
