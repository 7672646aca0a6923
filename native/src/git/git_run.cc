#include "git/git_run.h"

#include <algorithm>
#include <array>
#include <utility>

#include "git/git_environment.h"
#include "os/descriptor_io.h"
#include "os/local_socket.h"

namespace resident {

namespace {

// Time between ask_to_end() and kill().
constexpr std::chrono::milliseconds kGrace{500};
// Interval for polling the child's end if the system cannot report it.
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
  child_.ask_to_end();
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

void GitRun::append_descriptors(std::vector<Awaited>& descriptors) const {
  const auto add = [&](const UniqueFd& fd, Events events) {
    if (fd.valid()) descriptors.push_back({fd.get(), events});
  };
  add(child_.input, kWritable);
  add(child_.out, kReadable);
  add(child_.err, kReadable);
  add(child_.ended, kReadable);
}

void GitRun::read_into(UniqueFd& fd, std::string& bytes) {
  std::array<char, 64 * 1024> buffer;
  for (;;) {
    const IoResult read = read_some(fd.get(), buffer.data(), buffer.size());
    if (read.is_over()) return fd.reset();
    if (read.state == IoResult::State::kWouldBlock) return;
    if (failure_) return;
    if (read.count > options_.byte_limit - bytes.size()) {
      stop_with(ErrorCode::kIo,
                "the output is larger than " + std::to_string(options_.byte_limit) + " bytes");
      return;
    }
    bytes.append(buffer.data(), read.count);
  }
}

void GitRun::write_input() {
  while (!input_.empty()) {
    const IoResult sent = send_some(child_.input.get(), input_.data(), input_.size());
    if (sent.state == IoResult::State::kWouldBlock) return;
    // Ignored: a child that closed its input reports the reason itself.
    if (sent.is_over()) break;
    input_.remove_prefix(sent.count);
  }
  child_.input.reset();
}

// All ends are non-blocking, so a try on one that is not ready is cheap.
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
    child_.kill();
    kill_at_ = Clock::now() + kGrace;
  }
  // The child's end is tested before reading, so that the read below gets all of its output. A
  // grandchild (a daemon that git started) may hold the pipes open forever. After git's own end,
  // git's output is complete.
  const bool ended = child_.try_wait();
  transfer();
  return ended;
}

Result<GitOutput> GitRun::result() {
  if (failure_) return *std::move(failure_);
  const std::optional<int> exit_code = child_.exit_code();
  if (!exit_code) return Error{ErrorCode::kIo, command_ + ": the exit status is lost"};
  output_.exit_code = *exit_code;
  return std::move(output_);
}

}  // namespace resident
