#include "ipc/worktree_socket.h"

#include <algorithm>
#include <utility>

#include "ipc/socket_path.h"

namespace resident {

namespace {

// How soon it is tried again to listen, and how seldom at last.
constexpr std::chrono::milliseconds kMinRetry{20};
constexpr std::chrono::milliseconds kMaxRetry{2000};

constexpr const char* kCannotListen = "cannot listen on the socket: ";

}  // namespace

WorktreeSocket::WorktreeSocket(std::string root, SocketServer::Handler handler,
                               std::function<void()> wake, std::function<void(std::string)> tell,
                               Now now)
    : root_(std::move(root)),
      handler_(std::move(handler)),
      wake_(std::move(wake)),
      tell_(std::move(tell)),
      now_(std::move(now)),
      again_(kMinRetry) {
}

void WorktreeSocket::listen() {
  may_listen_ = false;
  due_ = Clock::time_point::max();
  if (server_) return;
  Result<std::string> path = socket_path(root_);
  if (!path.ok()) return tell_(kCannotListen + path.error().message);
  auto server = SocketServer::listen(*path, handler_);
  predecessor_.reset();
  if (server.ok()) {
    server_ = std::move(server).value();
    return;
  }
  // Else another process listens there.
  if (server.error().code != ErrorCode::kInvalid) tell_(kCannotListen + server.error().message);
  const auto now = now_();
  const bool is_soon = now - tried_ < 2 * kMaxRetry;
  tried_ = now;
  again_ = is_soon ? std::min(2 * again_, kMaxRetry) : kMinRetry;
  auto other = ListenerEnd::watch(*path, [this] {
    may_listen_ = true;
    wake_();
  });
  if (other.ok()) {
    predecessor_ = std::move(other).value();
  } else {
    due_ = now + again_;
  }
}

// The end of another one is told at once, but no one that ends all the time is followed as often.
void WorktreeSocket::follow() {
  const auto now = now_();
  if (may_listen_.exchange(false)) due_ = std::max(now, tried_ + again_);
  if (due_ <= now) listen();
}

void WorktreeSocket::close() {
  predecessor_.reset();
  server_.reset();
}

}  // namespace resident
