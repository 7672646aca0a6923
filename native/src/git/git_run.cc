#include "git/git_run.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "git/git_environment.h"

namespace resident {

namespace {

// Between the polite signal and the one that cannot be ignored.
constexpr std::chrono::milliseconds kGrace{500};
// How often the child is asked whether it has ended, where the kernel cannot wake us.
constexpr std::chrono::milliseconds kChildPace{20};

}  // namespace

Result<std::unique_ptr<GitRun>> GitRun::start(const std::vector<std::string>& arguments,
                                              const GitRunOptions& options, bool is_stoppable) {
  std::vector<std::string> command = {options.program};
  if (!options.cwd.empty()) {
    command.push_back("-C");
    command.push_back(options.cwd);
  }
  command.insert(command.end(), arguments.begin(), arguments.end());
  RESIDENT_TRY(ChildProcess child,
               ChildProcess::spawn(command, git_environment(options.environment),
                                   {options.input.has_value(), is_stoppable}));
  std::string name = command_name(arguments, options.program);
  return std::unique_ptr<GitRun>(new GitRun(std::move(child), options, std::move(name)));
}

GitRun::GitRun(ChildProcess child, const GitRunOptions& options, std::string command)
    : child_(std::move(child)),
      options_(options),
      command_(std::move(command)),
      input_(options_.input.value_or(std::string_view{})) {
  if (options.time_limit.count() > 0) deadline_ = Clock::now() + options.time_limit;
}

void GitRun::stop_with(ErrorCode code, const std::string& reason) {
  if (failure_) return;
  failure_ = Error{code, command_ + ": " + reason};
  child_.end_group_with_it();
  child_.signal(SIGTERM);
  kill_at_ = Clock::now() + kGrace;
}

void GitRun::stop() {
  stop_with(ErrorCode::kCancelled, "cancelled");
}

int GitRun::milliseconds_left() const {
  const std::optional<Clock::time_point> when = failure_ ? kill_at_ : deadline_;
  std::chrono::milliseconds wait{-1};
  if (when) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*when - Clock::now());
    wait = std::clamp(left, std::chrono::milliseconds{0}, std::chrono::milliseconds{60'000});
  }
  if (!child_.ended.valid() && (wait.count() < 0 || wait > kChildPace)) wait = kChildPace;
  return static_cast<int>(wait.count());
}

void GitRun::append_descriptors(std::vector<pollfd>& descriptors) const {
  const auto add = [&](const UniqueFd& fd, short events) {
    if (fd.valid()) descriptors.push_back({fd.get(), events, 0});
  };
  add(child_.input, POLLOUT);
  add(child_.out, POLLIN);
  add(child_.err, POLLIN);
  add(child_.ended, POLLIN);
}

void GitRun::read_into(UniqueFd& fd, std::string& bytes) {
  std::array<char, 64 * 1024> buffer;
  for (;;) {
    ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return fd.reset();
    if (failure_) return;
    if (static_cast<size_t>(count) > options_.byte_limit - bytes.size()) {
      stop_with(ErrorCode::kIo,
                "the output is larger than " + std::to_string(options_.byte_limit) + " bytes");
      return;
    }
    bytes.append(buffer.data(), static_cast<size_t>(count));
  }
}

void GitRun::write_input() {
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

// All ends are non-blocking: it costs little to try one that is not ready.
void GitRun::transfer() {
  if (child_.input.valid()) write_input();
  if (child_.out.valid()) read_into(child_.out, output_.out);
  if (child_.err.valid()) read_into(child_.err, output_.err);
}

bool GitRun::advance() {
  if (deadline_ && Clock::now() >= *deadline_) {
    stop_with(ErrorCode::kIo,
              "no answer within " + std::to_string(options_.time_limit.count()) + " ms");
  }
  if (kill_at_ && Clock::now() >= *kill_at_) {
    child_.signal(SIGKILL);
    kill_at_ = Clock::now() + kGrace;
  }
  // Asked before reading: what the child wrote before it ended is then read below. A grandchild (a
  // daemon that git started) may hold the pipes open for ever; git's own words are complete once
  // git has ended.
  const bool ended = child_.try_wait();
  transfer();
  return ended;
}

Result<GitOutput> GitRun::result() {
  if (failure_) return *std::move(failure_);
  std::optional<int> status = child_.wait_status();
  if (!status) return Error{ErrorCode::kIo, command_ + ": the exit status is lost"};
  output_.exit_code = WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
  return std::move(output_);
}

}  // namespace resident
