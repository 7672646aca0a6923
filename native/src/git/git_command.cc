#include "git/git_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/executor.h"
#include "base/turn_context.h"
#include "git/child_process.h"

extern char** environ;

namespace resident {

namespace {

using Clock = std::chrono::steady_clock;

// Between the polite signal and the one that cannot be ignored.
constexpr std::chrono::milliseconds kGrace{500};
// How often the child is asked whether it has ended, where the kernel cannot wake us.
constexpr std::chrono::milliseconds kPace{20};

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  std::vector<std::string> all_changes = {"GIT_OPTIONAL_LOCKS=0"};
  all_changes.insert(all_changes.end(), changes.begin(), changes.end());
  std::vector<std::string> environment;
  for (char** variable = environ; *variable; ++variable) {
    bool changed = std::any_of(
        all_changes.begin(), all_changes.end(),
        [&](const std::string& change) { return name_of(change) == name_of(*variable); });
    if (!changed) environment.emplace_back(*variable);
  }
  for (size_t i = 0; i < all_changes.size(); ++i) {
    bool overridden = std::any_of(
        all_changes.begin() + static_cast<std::ptrdiff_t>(i) + 1, all_changes.end(),
        [&](const std::string& later) { return name_of(later) == name_of(all_changes[i]); });
    if (!overridden && all_changes[i].find('=') != std::string::npos) {
      environment.push_back(all_changes[i]);
    }
  }
  return environment;
}

// Moves bytes between one child and its caller until the child has ended or was told to.
class Exchange {
 public:
  Exchange(ChildProcess& child, const GitRunOptions& options, std::string command)
      : child_(child),
        options_(options),
        command_(std::move(command)),
        input_(options.input.value_or(std::string_view{})),
        wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (options.time_limit.count() > 0) deadline_ = Clock::now() + options.time_limit;
  }

  Result<GitOutput> run();

 private:
  int poll_milliseconds() const;
  void sleep_until_ready();
  void transfer();
  void write_input();
  void read_into(UniqueFd& fd, std::string& bytes);
  void stop_with(ErrorCode code, const std::string& reason);
  Result<GitOutput> finish();

  ChildProcess& child_;
  const GitRunOptions& options_;
  const std::string command_;
  std::string_view input_;
  UniqueFd wake_;
  std::optional<Clock::time_point> deadline_;
  std::optional<Clock::time_point> kill_at_;
  std::optional<Error> failure_;
  GitOutput output_;
};

void Exchange::stop_with(ErrorCode code, const std::string& reason) {
  if (failure_) return;
  failure_ = Error{code, command_ + ": " + reason};
  child_.end_group_with_it();
  child_.signal(SIGTERM);
  kill_at_ = Clock::now() + kGrace;
}

int Exchange::poll_milliseconds() const {
  std::optional<Clock::time_point> when = failure_ ? kill_at_ : deadline_;
  std::chrono::milliseconds wait{-1};
  if (when) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(*when - Clock::now());
    wait = std::clamp(left, std::chrono::milliseconds{0}, std::chrono::milliseconds{60'000});
  }
  bool must_ask = !child_.ended.valid() || !wake_.valid();
  if (must_ask && (wait.count() < 0 || wait > kPace)) wait = kPace;
  return static_cast<int>(wait.count());
}

void Exchange::read_into(UniqueFd& fd, std::string& bytes) {
  std::array<char, 64 * 1024> buffer;
  for (;;) {
    ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return fd.reset();
    if (failure_) return;
    if (static_cast<size_t>(count) > options_.byte_limit - bytes.size()) {
      stop_with(ErrorCode::kIo, "says more than " + std::to_string(options_.byte_limit) + " bytes");
      return;
    }
    bytes.append(buffer.data(), static_cast<size_t>(count));
  }
}

void Exchange::write_input() {
  while (!input_.empty()) {
    ssize_t count = ::send(child_.input.get(), input_.data(), input_.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    // A child that does not want its input says in its own words why it ended.
    if (count < 0) break;
    input_.remove_prefix(static_cast<size_t>(count));
  }
  child_.input.reset();
}

void Exchange::sleep_until_ready() {
  std::array<pollfd, 5> fds;
  size_t count = 0;
  auto add = [&](const UniqueFd& fd, short events) {
    if (fd.valid()) fds[count++] = {fd.get(), events, 0};
  };
  add(child_.input, POLLOUT);
  add(child_.out, POLLIN);
  add(child_.err, POLLIN);
  add(child_.ended, POLLIN);
  add(wake_, POLLIN);
  if (::poll(fds.data(), count, poll_milliseconds()) < 0 && errno != EINTR) {
    stop_with(ErrorCode::kIo, "poll failed");
  }
}

// All ends are non-blocking: it costs little to try one that is not ready.
void Exchange::transfer() {
  if (child_.input.valid()) write_input();
  if (child_.out.valid()) read_into(child_.out, output_.out);
  if (child_.err.valid()) read_into(child_.err, output_.err);
}

Result<GitOutput> Exchange::run() {
  const auto wake = [this] {
    // Fails only where the counter is full, and then the poll wakes anyway.
    if (wake_.valid()) (void)::eventfd_write(wake_.get(), 1);
  };
  const std::stop_callback on_stop(options_.stop, wake);
  const std::stop_token turns_stop = TurnContext::current().stop;
  const std::stop_callback on_turns_stop(turns_stop, wake);
  const Executor::Waiting waiting(Executor::WaitsFor::kProgram);
  for (;;) {
    if (options_.stop.stop_requested() || turns_stop.stop_requested()) {
      stop_with(ErrorCode::kCancelled, "cancelled");
      // Drained, or the poll would not sleep while the child ends.
      eventfd_t ignored;
      if (wake_.valid()) (void)::eventfd_read(wake_.get(), &ignored);
    }
    if (deadline_ && Clock::now() >= *deadline_) {
      stop_with(ErrorCode::kIo,
                "no answer within " + std::to_string(options_.time_limit.count()) + " ms");
    }
    if (kill_at_ && Clock::now() >= *kill_at_) {
      child_.signal(SIGKILL);
      child_.wait();
      return finish();
    }
    // Asked before reading: what the child wrote before it ended is then read below.
    bool ended = child_.try_wait();
    if (!ended) sleep_until_ready();
    transfer();
    // A grandchild (a daemon that git started) may hold the pipes open for ever; git's own words
    // are complete once git has ended.
    if (ended) return finish();
  }
}

Result<GitOutput> Exchange::finish() {
  if (failure_) return *std::move(failure_);
  std::optional<int> status = child_.wait_status();
  if (!status) return Error{ErrorCode::kIo, command_ + ": another waiter took its exit status"};
  output_.exit_code = WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
  return std::move(output_);
}

}  // namespace

Result<GitOutput> run_git(const std::vector<std::string>& arguments, const GitRunOptions& options) {
  const std::stop_token turns_stop = TurnContext::current().stop;
  if (options.stop.stop_requested() || turns_stop.stop_requested()) {
    return Error{ErrorCode::kCancelled, "git: cancelled"};
  }
  const bool is_stoppable = options.stop.stop_possible() || turns_stop.stop_possible();
  std::vector<std::string> command = {options.program};
  if (!options.cwd.empty()) {
    command.push_back("-C");
    command.push_back(options.cwd);
  }
  command.insert(command.end(), arguments.begin(), arguments.end());
  RESIDENT_TRY(ChildProcess child,
               ChildProcess::spawn(command, environment_with(options.environment),
                                   {options.input.has_value(), is_stoppable}));
  std::string name = options.program;
  if (!arguments.empty()) name += " " + arguments.front();
  return Exchange(child, options, std::move(name)).run();
}

std::string git_message(const GitOutput& output) {
  std::string_view text = output.err;
  while (text.ends_with('\n')) text.remove_suffix(1);
  for (std::string_view prefix : {"fatal: ", "error: "}) {
    if (text.starts_with(prefix)) {
      text.remove_prefix(prefix.size());
      break;
    }
  }
  if (text.empty()) return "git exited with " + std::to_string(output.exit_code);
  return std::string(text);
}

}  // namespace resident
