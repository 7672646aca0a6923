#include "cli/kept_worktree.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <optional>
#include <thread>

#include "base/cut_text.h"
#include "base/thread_annotations.h"
#include "cli/fatal.h"
#include "os/environment.h"
#include "os/signals.h"
#include "os/threads.h"

namespace resident {

namespace {

// Carries deltas from the model's turns to a thread that calls the teller.
class DeltaThread final : public Resident::Listener {
 public:
  explicit DeltaThread(WorktreeTeller& teller) : teller_(teller) {}
  ~DeltaThread() override { stop(); }

  Result<void> start() {
    RESIDENT_TRY(thread_, start_thread([this] { run(); }));
    return {};
  }
  // Starts the calls. The teller is not called before.
  void follow(Resident& resident) {
    MutexLock lock(mutex_);
    resident_ = &resident;
    changed_.notify_all();
  }

  // Waits for the current call of the teller. Call before the Resident ends.
  void stop() {
    {
      MutexLock lock(mutex_);
      stopped_ = true;
      changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
  }

  void on_delta(StatusDelta delta) override {
    if (!mailbox_.put(std::move(delta))) return;
    MutexLock lock(mutex_);
    deltas_wait_ = true;
    changed_.notify_all();
  }
  void on_gone(const std::string& message) override {
    MutexLock lock(mutex_);
    gone_ = message;
    changed_.notify_all();
  }

 private:
  void run() {
    for (;;) {
      std::optional<std::string> gone;
      {
        MutexLock lock(mutex_);
        while (!stopped_ && (!resident_ || (!deltas_wait_ && !gone_))) changed_.wait(lock);
        if (stopped_) return;
        deltas_wait_ = false;
        gone.swap(gone_);
      }
      while (std::optional<DeltaChunk> chunk = mailbox_.take()) {
        teller_.on_chunk(*chunk);
        MutexLock lock(mutex_);
        if (stopped_) return;
      }
      if (gone) teller_.on_gone(*gone);
    }
  }

  WorktreeTeller& teller_;
  Resident* resident_ = nullptr;  // constant after follow()
  DeltaMailbox mailbox_{[this] { resident_->replay(); }};
  Mutex mutex_;
  ConditionVariable changed_;
  bool stopped_ GUARDED_BY(mutex_) = false;
  bool deltas_wait_ GUARDED_BY(mutex_) = false;
  std::optional<std::string> gone_ GUARDED_BY(mutex_);
  std::thread thread_;
};

std::string count(uint64_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

}  // namespace

std::string time_of_day(std::time_t at) {
  const std::tm parts = local_time(at);
  char text[16];
  std::strftime(text, sizeof text, "%H:%M:%S", &parts);
  return text;
}

std::string describe(const ModelState& state) {
  const std::string directories = count(state.directories, "directory", "directories");
  switch (state.kind) {
    case ModelState::Kind::kScanning:
      return "scanning, " + std::to_string(state.files_seen) + " of " +
             count(state.files_expected, "file", "files");
    case ModelState::Kind::kVerifying:
      return "verifying, " + std::to_string(state.files_seen) + " of " +
             count(state.files_expected, "file", "files") + ": " + state.message;
    case ModelState::Kind::kWatching:
      return "watching " + directories;
    case ModelState::Kind::kPolling:
      if (!state.shortage) {
        return "watching " + directories + ", polling " +
               count(state.polled, "directory", "directories") + " without events";
      }
      return "watching " + directories + ", polling " + std::to_string(state.polled) +
             ": out of inotify watches; to watch all: " + state.shortage->command;
    case ModelState::Kind::kDelegated:
      return "git answers: " + state.message;
    case ModelState::Kind::kFailed:
      return "failed: " + state.message;
  }
  return {};
}

namespace {

std::string describe_waiting(const ModelState& state) {
  if (!state.waiting) return {};
  std::string text = "waiting for " + state.waiting->name;
  if (state.waiting->files > 0) text += ", " + count(state.waiting->files, "file", "files");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto since = std::chrono::milliseconds(state.waiting->since_ms);
  return text + ", " +
         std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now - since).count()) +
         " s";
}

}  // namespace

std::string describe_details(const ModelState& state) {
  using Kind = ModelState::Kind;
  if (state.kind != Kind::kWatching && state.kind != Kind::kPolling &&
      state.kind != Kind::kDelegated) {
    return {};
  }
  const SweepState& sweep = state.sweep;
  std::string text = describe_waiting(state);
  if (sweep.pace != SweepState::Pace::kOff) {
    if (!text.empty()) text += "; ";
    const auto within = static_cast<uint64_t>(sweep.within.count());
    text += "last full check " + time_of_day(sweep.verified_at) + ", ";
    if (sweep.pace == SweepState::Pace::kRunning) {
      text += "every " + (within % 60 == 0 ? count(within / 60, "minute", "minutes")
                                           : count(within, "second", "seconds"));
      if (sweep.percent > 0) text += "; " + std::to_string(sweep.percent) + "% of the next check";
    } else {
      text += sweep.pace == SweepState::Pace::kBattery ? "paused: battery" : "paused: load";
    }
  }
  if (state.linked_beyond > 0) {
    if (!text.empty()) text += "; ";
    text +=
        count(state.linked_beyond, "file", "files") + " with several hard links checked in turn";
  }
  return text;
}

std::optional<std::chrono::milliseconds> parse_sweep_option(std::vector<std::string>& arguments) {
  constexpr std::string_view kOption = "--sweep=";
  constexpr int kMax = 7 * 24 * 60;
  std::chrono::milliseconds sweep = Resident::Configuration().sweep;
  const auto option = std::find_if(arguments.begin(), arguments.end(), [&](const auto& argument) {
    return argument.starts_with(kOption);
  });
  if (option == arguments.end()) return sweep;
  const std::string value = option->substr(kOption.size());
  arguments.erase(option);
  if (value == "off") return std::chrono::milliseconds(0);
  int minutes = 0;
  if (!parse_number(value, minutes) || minutes < 1 || minutes > kMax) return std::nullopt;
  return std::chrono::minutes(minutes);
}

int keep_worktree(const std::string& path, std::chrono::milliseconds sweep, WorktreeTeller& teller,
                  std::initializer_list<StoppableOutput*> outputs) {
  // Before any thread starts.
  block_end_signals();
  return keep_worktree_while(path, sweep, teller, [&](const Resident&) {
    wait_for_end_signal();
    for (StoppableOutput* output : outputs) output->stop();
  });
}

int keep_worktree_while(const std::string& path, std::chrono::milliseconds sweep,
                        WorktreeTeller& teller, const std::function<void(const Resident&)>& run) {
  // This thread must start before the worktree is opened, which uses threads that it can do
  // without.
  DeltaThread delta_thread(teller);
  if (Result<void> started = delta_thread.start(); !started.ok()) {
    return fatal(started.error().message);
  }
  Resident::Options options;
  options.watch_metadata = true;
  options.configuration = {.details = teller.wants_details(), .sweep = sweep};
  Result<std::unique_ptr<Resident>> resident = Resident::open(path, options, delta_thread);
  if (!resident.ok()) return fatal(resident.error().message);
  delta_thread.follow(**resident);
  run(**resident);
  delta_thread.stop();
  return 0;
}

}  // namespace resident
