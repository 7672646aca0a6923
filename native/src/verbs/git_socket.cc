#include "verbs/git_socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "ipc/socket_protocol.h"
#include "verbs/git_monitor.h"
#include "verbs/git_socket_framing.h"

namespace resident {

namespace {

// How soon it is tried again to listen, how seldom at last, and for how long: a daemon on a busy
// machine takes seconds to quit.
constexpr std::chrono::milliseconds kSoonestTry{20};
constexpr std::chrono::milliseconds kSeldomestTry{1000};
constexpr std::chrono::seconds kTriesFor{60};

// git's daemons hold it while they look who listens, and while they begin to.
class DaemonLock {
 public:
  explicit DaemonLock(std::string path)
      : path_(std::move(path)),
        file_(::open(path_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600)),
        error_(file_.valid() ? 0 : errno) {}
  ~DaemonLock() {
    if (is_held()) ::unlink(path_.c_str());
  }
  DaemonLock(const DaemonLock&) = delete;
  DaemonLock& operator=(const DaemonLock&) = delete;
  bool is_held() const { return file_.valid(); }
  int error() const { return error_; }

 private:
  const std::string path_;
  const UniqueFd file_;
  const int error_;
};

// Does not wait for it.
UniqueFd tell_to_quit(const std::string& address) {
  Result<UniqueFd> daemon = reach(address);
  if (!daemon.ok() || !send_all(daemon->get(), in_packets(kQuit)).ok()) return {};
  return std::move(daemon).value();
}

bool has_ended(const UniqueFd& connection) {
  char byte;
  return !connection.valid() || ::recv(connection.get(), &byte, 1, MSG_DONTWAIT) >= 0 ||
         (errno != EAGAIN && errno != EINTR);
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
      next_try_(kSoonestTry) {
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
  next_try_ = kSoonestTry;
}

void GitSocket::listen() {
  due_ = Clock::time_point::max();
  const DaemonLock lock(path_ + ".lock");
  if (!lock.is_held()) {
    if (lock.error() != EEXIST) return give_up(std::strerror(lock.error()));
    return try_again("another process holds the lock");
  }
  const std::string address = address_of_path();
  SocketServer::Limits limits;
  limits.late = {kGitsPatience, monitor_answer_everything()};
  auto server = SocketServer::listen(
      address,
      [this](std::shared_ptr<SocketServer::Question> asked) {
        if (asked->payload() == kQuit) {
          asked->answer("");
          is_to_quit_ = true;
          return wake_();
        }
        if (asked->payload() == kFlush) return asked->answer(monitor_answer_everything());
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
  next_try_ = std::min(2 * next_try_, kSeldomestTry);
}

std::string GitSocket::address_of_path() {
  if (path_.size() < sizeof sockaddr_un{}.sun_path) return path_;
  directory_ = UniqueFd(::open(git_dir_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  return "/proc/self/fd/" + std::to_string(directory_.get()) + "/" + std::string(kGitSocketName);
}

void GitSocket::give_up(const std::string& why) {
  close();
  tell_("cannot replace git's fsmonitor daemon: " + path_ + ": " + why);
}

}  // namespace resident
