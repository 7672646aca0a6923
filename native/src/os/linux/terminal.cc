#include "os/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

namespace resident {

namespace {

// Enter: the second screen, no cursor, no wrapping. Leave: plain text, then the reverse order.
constexpr std::string_view kEnter = "\033[?1049h\033[?25l\033[?7l";
constexpr std::string_view kLeave = "\033[m\033[?7h\033[?25h\033[?1049l";
// Ends a truncated sequence.
constexpr std::string_view kCancel = "\030";
// Timeout in milliseconds for a terminal that accepts no output, and the number of tries.
constexpr int kLeavePatience = 100;
constexpr int kLeaveTries = 5;

// Signals that end a program with a core dump.
constexpr std::array kFatalSignals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGQUIT};

// The values that a handler restores. They are written only while `fd` is -1.
struct Restored {
  std::atomic<int> fd = -1;
  termios modes = {};
  std::array<struct sigaction, kFatalSignals.size()> actions = {};
};
Restored restored;

void restore_in_handler(int signal, siginfo_t* info, void*) {
  if (const int fd = restored.fd.exchange(-1); fd >= 0) {
    (void)!::write(fd, kCancel.data(), kCancel.size());
    (void)!::write(fd, kLeave.data(), kLeave.size());
    ::tcsetattr(fd, TCSANOW, &restored.modes);
  }
  for (size_t i = 0; i < kFatalSignals.size(); ++i) {
    if (kFatalSignals[i] == signal) ::sigaction(signal, &restored.actions[i], nullptr);
  }
  // A fault repeats when the handler returns, and the core dump then shows its place. A sent signal
  // must be raised again.
  const bool is_fault = info && info->si_code > 0 && signal != SIGABRT && signal != SIGQUIT;
  if (!is_fault) ::raise(signal);
}

void install_handlers() {
  for (size_t i = 0; i < kFatalSignals.size(); ++i) {
    struct sigaction action = {};
    action.sa_sigaction = restore_in_handler;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(kFatalSignals[i], &action, &restored.actions[i]);
  }
}

void remove_handlers() {
  for (size_t i = 0; i < kFatalSignals.size(); ++i) {
    ::sigaction(kFatalSignals[i], &restored.actions[i], nullptr);
  }
}

bool is_same(const termios& one, const termios& other) {
  return one.c_iflag == other.c_iflag && one.c_oflag == other.c_oflag &&
         one.c_cflag == other.c_cflag && one.c_lflag == other.c_lflag &&
         std::equal(std::begin(one.c_cc), std::end(one.c_cc), std::begin(other.c_cc));
}

// Delivers each key at once, without an echo. Signals, flow control and output keep their modes.
termios key_modes(termios modes) {
  modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ECHONL | IEXTEN);
  modes.c_lflag |= ISIG;
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  return modes;
}

Error terminal_error(const char* what) {
  return {ErrorCode::kIo, std::string("terminal: cannot ") + what + ": " + std::strerror(errno)};
}

}  // namespace

struct Terminal::Modes {
  termios set = {};
};

Terminal::Terminal(UniqueFd fd) : fd_(std::move(fd)), modes_(std::make_unique<Modes>()) {
}
Terminal::Terminal(Terminal&&) noexcept = default;

Result<Terminal> Terminal::open(int fd) {
  // Reopening the terminal gives a descriptor with its own flags.
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  UniqueFd own(::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  // A terminal of another user cannot be reopened: a write may then wait for it.
  if (!own.valid()) own.reset(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
  if (!own.valid()) return terminal_error("be opened");
  return Terminal(std::move(own));
}

Terminal::~Terminal() {
  if (fd_.valid()) leave();
}

Result<void> Terminal::enter() {
  termios now;
  if (::tcgetattr(fd_.get(), &now) != 0) return terminal_error("read its modes");
  if (!is_entered_ || !is_same(now, modes_->set)) {
    restored.fd = -1;
    restored.modes = now;
    const termios wanted = key_modes(now);
    if (::tcsetattr(fd_.get(), TCSANOW, &wanted) != 0) return terminal_error("set its modes");
    if (::tcgetattr(fd_.get(), &modes_->set) != 0) return terminal_error("read its modes");
  }
  if (!is_entered_) install_handlers();
  restored.fd = fd_.get();
  is_entered_ = true;
  write(kEnter);
  return {};
}

void Terminal::leave() {
  if (!std::exchange(is_entered_, false)) return;
  const std::string last = std::string(is_writing() ? kCancel : "").append(kLeave);
  for (int i = 0; i < kLeaveTries; ++i) {
    unwritten_ = last;
    if (!flush().ok() || !is_writing()) break;
    // Ctrl-S can hold the output, or nobody reads it. The output is no longer needed.
    ::tcflush(fd_.get(), TCOFLUSH);
    // tcflow can restart only output that tcflow suspended.
    ::tcflow(fd_.get(), TCOOFF);
    ::tcflow(fd_.get(), TCOON);
    pollfd ready{fd_.get(), POLLOUT, 0};
    ::poll(&ready, 1, kLeavePatience);
  }
  unwritten_.clear();
  if (restored.fd.exchange(-1) < 0) return;
  ::tcsetattr(fd_.get(), TCSANOW, &restored.modes);
  remove_handlers();
}

Terminal::Size Terminal::size() const {
  winsize window{};
  Size size;
  if (::ioctl(fd_.get(), TIOCGWINSZ, &window) != 0) return size;
  if (window.ws_row > 0) size.rows = window.ws_row;
  if (window.ws_col > 0) size.columns = window.ws_col;
  return size;
}

Result<std::string> Terminal::read() {
  char buffer[256];
  const ssize_t count = ::read(fd_.get(), buffer, sizeof buffer);
  if (count > 0) return std::string(buffer, static_cast<size_t>(count));
  if (count == 0) return Error{ErrorCode::kIo, "terminal: closed"};
  if (errno == EAGAIN || errno == EINTR) return std::string();
  return terminal_error("be read");
}

Result<void> Terminal::flush() {
  size_t written = 0;
  while (written < unwritten_.size()) {
    const ssize_t count =
        ::write(fd_.get(), unwritten_.data() + written, unwritten_.size() - written);
    if (count > 0) written += static_cast<size_t>(count);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN) return terminal_error("be written");
    if (count <= 0) break;
  }
  unwritten_.erase(0, written);
  return {};
}

}  // namespace resident
