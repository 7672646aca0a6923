#include "cli/watch_screen.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"
#include "cli/fatal.h"
#include "cli/kept_worktree.h"
#include "cli/terminal_keys.h"
#include "cli/watch_lines.h"
#include "cli/watch_state.h"
#include "config/config.h"
#include "os/event_loop.h"
#include "os/signals.h"
#include "os/standard_streams.h"
#include "os/terminal.h"

namespace resident {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFrame{30};
// The view shows the seconds of a wait.
constexpr std::chrono::seconds kWaitingTick{1};

// The colours and quoting of `git status` in this worktree.
WatchLook look_of(FileSystem& fs, const Resident::Identity& identity) {
  WatchLook look;
  ConfigPlace place;
  place.directory = place.worktree = identity.root;
  place.git_dir = identity.git_dir;
  place.common_dir = identity.common_dir;
  const Result<Config> config = Config::load(fs, place);
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
  WatchScreen(Terminal& terminal, ScreenSignals signals, Wakeup state_changed)
      : terminal_(terminal),
        signals_(std::move(signals)),
        state_changed_(std::move(state_changed)) {}

  void on_chunk(const DeltaChunk& chunk) override {
    const std::string time = time_of_day(std::time(nullptr));
    {
      MutexLock lock(mutex_);
      state_.apply(chunk, Clock::now(), time);
    }
    if (!chunk.more) state_changed_.wake();
  }
  void on_gone(const std::string& message) override {
    {
      MutexLock lock(mutex_);
      state_.gone(message);
    }
    state_changed_.wake();
  }

  void run(WatchLook look) {
    look_ = std::move(look);
    if (!begin().ok()) return;
    while (step()) {
    }
    terminal_.leave();
  }

 private:
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
    const Events events = kReadable | (terminal_.is_writing() ? kWritable : 0);
    std::array<Awaited, 3> awaited{
        {{signals_.fd(), kReadable}, {state_changed_.fd(), kReadable}, {terminal_.fd(), events}}};
    if (!wait_for(awaited, timeout())) return false;
    if (awaited[kSignals].ready && !read_signals()) return false;
    if (awaited[kTold].ready) {
      state_changed_.clear();
      draw_by(std::max(next_frame_, Clock::now()));
    }
    if (awaited[kTerminal].ready & kBroken) return false;
    return !(awaited[kTerminal].ready & kReadable) || read_keys();
  }

  void draw_by(Clock::time_point at) { draw_at_ = draw_at_ ? std::min(*draw_at_, at) : at; }
  // In milliseconds. While a write is pending, wait_for() reports when the terminal accepts output.
  int timeout() const {
    if (!draw_at_ || terminal_.is_writing()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*draw_at_ - Clock::now());
    return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 60'000));
  }

  bool read_signals() {
    using Signal = ScreenSignals::Signal;
    while (const std::optional<Signal> signal = signals_.next()) {
      switch (*signal) {
        case Signal::kResized:
          size_ = terminal_.size();
          redraw();
          break;
        case Signal::kStop:
          terminal_.leave();
          signals_.stop_here();
          [[fallthrough]];
        case Signal::kContinued:
          if (!begin().ok()) return false;
          break;
        case Signal::kEnd:
          return false;
      }
    }
    return true;
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
  ScreenSignals signals_;
  const Wakeup state_changed_;  // the state has changed
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

int watch_in_terminal(FileSystem& fs, const std::string& path, std::chrono::milliseconds sweep) {
  // Before any thread starts.
  Result<ScreenSignals> signals = ScreenSignals::make();
  Result<Wakeup> state_changed = Wakeup::make();
  if (!signals.ok() || !state_changed.ok()) return fatal("no file descriptors are left");
  Result<Terminal> terminal = Terminal::open(kStandardOutput);
  if (!terminal.ok()) return fatal(terminal.error().message);
  WatchScreen screen(*terminal, *std::move(signals), *std::move(state_changed));
  return keep_worktree_while(path, sweep, screen, [&](const Resident& resident) {
    screen.run(look_of(fs, resident.identity()));
  });
}

}  // namespace resident
