#include "verbs/git_socket.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "ipc/socket_protocol.h"
#include "os/files.h"
#include "os/local_socket.h"
#include "verbs/git_monitor.h"
#include "verbs/git_socket_framing.h"

namespace resident {

namespace {

// First and last retry interval, and the limit of all retries. A daemon on a busy machine takes
// seconds to quit.
constexpr std::chrono::milliseconds kMinRetry{20};
constexpr std::chrono::milliseconds kMaxRetry{1000};
constexpr std::chrono::seconds kTriesFor{60};

// git's daemons hold this lock while they check for a listener and start to listen.
class DaemonLock {
 public:
  explicit DaemonLock(std::string path)
      : path_(std::move(path)), error_(create_new_file(path_, file_)) {}
  ~DaemonLock() {
    if (is_held()) remove_file(path_);
  }
  DaemonLock(const DaemonLock&) = delete;
  DaemonLock& operator=(const DaemonLock&) = delete;
  bool is_held() const { return file_.valid(); }
  std::error_code error() const { return error_; }

 private:
  const std::string path_;
  UniqueFd file_;
  const std::error_code error_;
};

// Sends "quit" without waiting for the end.
UniqueFd tell_to_quit(const std::string& address) {
  Result<UniqueFd> daemon = reach(address);
  if (!daemon.ok() || !send_all(daemon->get(), in_packets(kQuit)).ok()) return {};
  return std::move(daemon).value();
}

bool has_ended(const UniqueFd& connection) {
  char byte;
  return !connection.valid() ||
         receive_some(connection.get(), &byte, 1).state != IoResult::State::kWouldBlock;
}

}  // namespace

GitSocket::GitSocket(std::string git_dir, SocketServer::Handler handler, std::function<void()> wake,
                     std::function<void(std::string)> tell, Now now)
    : git_dir_(std::move(git_dir)),
      path_(git_dir_ + "/" + std::string(kGitSocketName)),
      handler_(std::move(handler)),
      wake_(std::move(wake)),
      tell_(std::move(tell)),
      now_(std::move(now)),
      next_try_(kMinRetry) {
}

void GitSocket::want(bool wanted) {
  if (std::exchange(wanted_, wanted) == wanted) return;
  close();
  if (wanted) listen();
}

void GitSocket::follow() {
  if (is_to_quit_.exchange(false) && server_) give_up("git sent a request to quit");
  if (due_ <= now_()) listen();
}

void GitSocket::close() {
  server_.reset();
  directory_.reset();
  daemon_.reset();
  is_to_quit_ = false;
  due_ = Clock::time_point::max();
  tries_since_.reset();
  next_try_ = kMinRetry;
}

void GitSocket::listen() {
  due_ = Clock::time_point::max();
  const DaemonLock lock(path_ + ".lock");
  if (!lock.is_held()) {
    if (lock.error() != std::errc::file_exists) return give_up(lock.error().message());
    return try_again("another process holds the lock");
  }
  const std::string address = address_of_path();
  SocketServer::Limits limits;
  limits.late = {kGitsPatience, monitor_answer(everything_changed())};
  auto server = SocketServer::listen(
      address,
      [this](std::shared_ptr<SocketServer::Question> asked) {
        if (asked->payload() == kQuit) {
          asked->answer("");
          is_to_quit_ = true;
          return wake_();
        }
        if (asked->payload() == kFlush) return asked->answer(monitor_answer(everything_changed()));
        handler_(std::move(asked));
      },
      std::move(limits), kGitFraming);
  if (server.ok()) {
    server_ = std::move(server).value();
    daemon_.reset();
    return;
  }
  if (server.error().code != ErrorCode::kInvalid) return give_up(server.error().message);
  if (has_ended(daemon_)) daemon_ = tell_to_quit(address);
  try_again("another process listens on this socket and does not quit");
}

void GitSocket::try_again(const char* why) {
  const auto now = now_();
  if (!tries_since_) tries_since_ = now;
  if (now - *tries_since_ >= kTriesFor) return give_up(why);
  due_ = now + next_try_;
  next_try_ = std::min(2 * next_try_, kMaxRetry);
}

std::string GitSocket::address_of_path() {
  if (fits_socket_address(path_)) return path_;
  return short_socket_address(git_dir_, kGitSocketName, directory_);
}

void GitSocket::give_up(const std::string& why) {
  close();
  tell_("cannot replace git's fsmonitor daemon: " + path_ + ": " + why);
}

}  // namespace resident
