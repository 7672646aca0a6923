#include "service/socket_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "base/unique_fd.h"
#include "service/socket_protocol.h"

namespace resident {

namespace {

constexpr uint32_t kMaxQuestion = 1 << 20;
// A client that stops in the middle of a question must not keep the others waiting.
constexpr timeval kPatience{2, 0};

class Server final : public SocketServer {
 public:
  Server(std::string path, UniqueFd socket, UniqueFd stop, Handler handler)
      : path_(std::move(path)),
        socket_(std::move(socket)),
        stop_(std::move(stop)),
        handler_(std::move(handler)),
        thread_([this] { accept_loop(); }) {}

  ~Server() override {
    uint64_t one = 1;
    (void)!::write(stop_.get(), &one, sizeof one);
    thread_.join();
    ::unlink(path_.c_str());
  }

 private:
  void accept_loop() {
    std::array<pollfd, 2> fds{{{socket_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
    for (;;) {
      if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return;
      if (fds[1].revents != 0) return;
      if (!(fds[0].revents & POLLIN)) continue;
      UniqueFd client(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (client.valid() && peer_is_same_user(client.get())) serve(client.get());
    }
  }

  void serve(int client) {
    ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    ::setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
    if (!send_all(client, kGreeting).ok()) return;
    Result<std::string> question = receive_message(client, kMaxQuestion);
    if (question.ok()) (void)send_message(client, handler_(*question));
  }

  const std::string path_;
  UniqueFd socket_;
  UniqueFd stop_;
  Handler handler_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<SocketServer>> SocketServer::listen(const std::string& path,
                                                           Handler handler) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return Error{ErrorCode::kInvalid, path + ": too long"};
  // Whoever listens keeps its socket, however it behaves.
  Result<UniqueFd> other = connect_to(path);
  if (other.ok() || other.error().code != ErrorCode::kNotFound) {
    return Error{ErrorCode::kInvalid, path + ": another process listens there already"};
  }
  ::unlink(path.c_str());
  std::memcpy(address.sun_path, path.data(), path.size());
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  UniqueFd stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!socket.valid() || !stop.valid()) return error_from_errno(errno, path);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::chmod(path.c_str(), 0600) != 0 || ::listen(socket.get(), 64) != 0) {
    return error_from_errno(errno, path);
  }
  return std::unique_ptr<SocketServer>(
      new Server(path, std::move(socket), std::move(stop), std::move(handler)));
}

}  // namespace resident
