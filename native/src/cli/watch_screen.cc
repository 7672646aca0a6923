#include "cli/watch_screen.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"
#include "cli/fatal.h"
#include "cli/kept_worktree.h"
#include "cli/terminal.h"
#include "cli/terminal_keys.h"
#include "cli/watch_lines.h"
#include "cli/watch_state.h"
#include "config/config.h"
#include "fs/linux/posix_file_system.h"
#include "os/unique_fd.h"

namespace resident {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFrame{30};
// The view shows the seconds of a wait.
constexpr std::chrono::seconds kWaitingTick{1};

// The colours and quoting of `git status` in this worktree.
WatchLook look_of(const Resident::Identity& identity) {
  WatchLook look;
  ConfigPlace place;
  place.directory = place.worktree = identity.root;
  place.git_dir = identity.git_dir;
  place.common_dir = identity.common_dir;
  const Result<Config> config = Config::load(posix_file_system(), place);
  if (config.ok()) {
    look.palette = palette_from(*config).value_or(StatusPalette());
    look.colored = color_choice_from(*config).value_or(ColorChoice::kAuto) != ColorChoice::kNever;
    // The default is false: git's default escapes characters that every terminal shows today.
    look.quote_high_bytes = config->get_bool("core.quotepath", false);
  }
  const char* const no_color = std::getenv("NO_COLOR");
  if (no_color && *no_color) look.colored = false;
  return look;
}

class WatchScreen final : public WorktreeTeller {
 public:
  WatchScreen(Terminal& terminal, UniqueFd signals, UniqueFd told)
      : terminal_(terminal), signals_(std::move(signals)), told_(std::move(told)) {}

  void on_chunk(const DeltaChunk& chunk) override {
    const std::string time = time_of_day(std::time(nullptr));
    {
      MutexLock lock(mutex_);
      state_.apply(chunk, Clock::now(), time);
    }
    if (!chunk.more) wake();
  }
  void on_gone(const std::string& message) override {
    {
      MutexLock lock(mutex_);
      state_.gone(message);
    }
    wake();
  }

  void run(WatchLook look) {
    look_ = std::move(look);
    if (!begin().ok()) return;
    while (step()) {
    }
    terminal_.leave();
  }

 private:
  void wake() {
    const uint64_t one = 1;
    (void)!::write(told_.get(), &one, sizeof one);
  }

  Result<void> begin() {
    RESIDENT_CHECK(terminal_.enter());
    size_ = terminal_.size();
    redraw();
    return {};
  }
  // Forgets the content of the screen, which is no longer reliable.
  void redraw() {
    shown_.reset();
    draw_at_ = Clock::now();
  }

  // Returns false at the end.
  bool step() {
    if (draw_at_ && !terminal_.is_writing() && *draw_at_ <= Clock::now()) draw();
    if (!terminal_.flush().ok()) return false;
    enum : size_t { kSignals, kTold, kTerminal };
    const auto events = static_cast<short>(POLLIN | (terminal_.is_writing() ? POLLOUT : 0));
    std::array<pollfd, 3> fds{
        {{signals_.get(), POLLIN, 0}, {told_.get(), POLLIN, 0}, {terminal_.fd(), events, 0}}};
    if (::poll(fds.data(), fds.size(), timeout()) < 0) return errno == EINTR;
    if (fds[kSignals].revents && !read_signals()) return false;
    if (fds[kTold].revents) {
      uint64_t count = 0;
      (void)!::read(told_.get(), &count, sizeof count);
      draw_by(std::max(next_frame_, Clock::now()));
    }
    if (fds[kTerminal].revents & (POLLHUP | POLLERR | POLLNVAL)) return false;
    return !(fds[kTerminal].revents & POLLIN) || read_keys();
  }

  void draw_by(Clock::time_point at) { draw_at_ = draw_at_ ? std::min(*draw_at_, at) : at; }
  // In milliseconds. While a write is pending, poll() reports when the terminal accepts output.
  int timeout() const {
    if (!draw_at_ || terminal_.is_writing()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*draw_at_ - Clock::now());
    return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 60'000));
  }

  bool read_signals() {
    signalfd_siginfo signal{};
    while (::read(signals_.get(), &signal, sizeof signal) == sizeof signal) {
      switch (signal.ssi_signo) {
        case SIGWINCH:
          size_ = terminal_.size();
          redraw();
          break;
        case SIGTSTP:
          stop_here();
          [[fallthrough]];
        case SIGCONT:
          if (!begin().ok()) return false;
          break;
        default:
          return false;
      }
    }
    return true;
  }
  // Stops the process like the user's shell expects of a job. Returns when the job continues.
  void stop_here() {
    terminal_.leave();
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    ::raise(SIGTSTP);
    ::pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);
    ::pthread_sigmask(SIG_BLOCK, &stop, nullptr);
  }

  bool read_keys() {
    Result<std::string> bytes = terminal_.read();
    if (!bytes.ok()) return false;
    keys_.add(*bytes);
    while (const std::optional<Key> key = keys_.next()) {
      if (*key == Key::kQuit) return false;
      press(*key);
    }
    return true;
  }
  void press(Key key) {
    const auto back = [this](size_t lines) { top_ -= std::min(top_, lines); };
    switch (key) {
      case Key::kUp:
        back(1);
        break;
      case Key::kDown:
        ++top_;
        break;
      case Key::kPageUp:
        back(page_);
        break;
      case Key::kPageDown:
        top_ += page_;
        break;
      case Key::kHome:
        top_ = 0;
        break;
      case Key::kEnd:
        top_ = SIZE_MAX / 2;
        break;
      case Key::kRedraw:
        shown_.reset();
        break;
      case Key::kQuit:
        break;
    }
    draw_by(Clock::now());
  }

  void draw() {
    WatchLines drawn;
    {
      MutexLock lock(mutex_);
      // The end of the step wakes this loop.
      if (!state_.is_whole()) return draw_at_.reset();
      drawn = watch_lines(state_, {size_.rows, size_.columns}, look_, top_);
      draw_at_.reset();
      if (state_.state().waiting) draw_at_ = Clock::now() + kWaitingTick;
    }
    top_ = drawn.top;
    page_ = drawn.page;
    next_frame_ = Clock::now() + kFrame;
    if (!shown_) terminal_.write("\033[m\033[2J");
    for (size_t i = 0; i < size_.rows; ++i) {
      const std::string& line = i < drawn.lines.size() ? drawn.lines[i] : kNoLine;
      const bool is_there = shown_ ? line == shown_->at(i) : line.empty();
      if (is_there) continue;
      terminal_.write("\033[" + std::to_string(i + 1) + ";1H\033[K");
      terminal_.write(line);
    }
    drawn.lines.resize(size_.rows);
    shown_ = std::move(drawn.lines);
  }

  static inline const std::string kNoLine;

  Terminal& terminal_;
  const UniqueFd signals_;
  const UniqueFd told_;  // an eventfd: the state has changed
  WatchLook look_;
  KeyReader keys_;
  Terminal::Size size_;
  size_t top_ = 0;
  size_t page_ = 1;
  std::optional<std::vector<std::string>> shown_;  // a line per row; unset: unknown content
  std::optional<Clock::time_point> draw_at_;       // unset: the screen is up to date
  Clock::time_point next_frame_{};

  Mutex mutex_;
  WatchState state_ GUARDED_BY(mutex_);
};

}  // namespace

int watch_in_terminal(const std::string& path, std::chrono::milliseconds sweep) {
  // The signals are blocked before any thread starts: only the loop receives them.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT}) {
    sigaddset(&signals, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  UniqueFd signal_fd(::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC));
  UniqueFd told(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!signal_fd.valid() || !told.valid()) return fatal("no file descriptors are left");
  Result<Terminal> terminal = Terminal::open(STDOUT_FILENO);
  if (!terminal.ok()) return fatal(terminal.error().message);
  WatchScreen screen(*terminal, std::move(signal_fd), std::move(told));
  return keep_worktree_while(path, sweep, screen, [&](const Resident& resident) {
    screen.run(look_of(resident.identity()));
  });
}

}  // namespace resident
