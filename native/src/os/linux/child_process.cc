#include "os/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace resident {

namespace {

// Moves a descriptor above the standard three. If one of those is closed in this process, a new
// pipe can get its number. The child's dup2 calls would then overwrite each other.
Result<UniqueFd> above_standard(UniqueFd fd) {
  if (fd.get() > STDERR_FILENO) return fd;
  UniqueFd moved(::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!moved.valid()) return error_from_errno(errno, "fcntl");
  return moved;
}

struct Channel {
  UniqueFd ours;
  UniqueFd child;
};

Result<Channel> channel_from(UniqueFd ours, UniqueFd child) {
  Channel channel;
  RESIDENT_TRY(channel.ours, above_standard(std::move(ours)));
  RESIDENT_TRY(channel.child, above_standard(std::move(child)));
  int flags = ::fcntl(channel.ours.get(), F_GETFL);
  if (flags < 0 || ::fcntl(channel.ours.get(), F_SETFL, flags | O_NONBLOCK) != 0) {
    return error_from_errno(errno, "fcntl");
  }
  return channel;
}

Result<Channel> open_output() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return error_from_errno(errno, "pipe");
  return channel_from(UniqueFd(fds[0]), UniqueFd(fds[1]));
}

Result<Channel> open_input() {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
    return error_from_errno(errno, "socketpair");
  }
  return channel_from(UniqueFd(fds[0]), UniqueFd(fds[1]));
}

std::vector<char*> c_strings(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  // Neither posix_spawn nor execvp modifies the strings.
  for (const std::string& text : strings) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Repeats an interrupted waitpid().
pid_t reap(pid_t process, int& status, int flags) {
  pid_t found;
  do {
    found = ::waitpid(process, &status, flags);
  } while (found < 0 && errno == EINTR);
  return found;
}

int exit_code_in(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

class SpawnSettings {
 public:
  explicit SpawnSettings(bool own_group) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    // Node ignores SIGPIPE, and an ignored signal survives exec. git needs the default.
    sigset_t defaults;
    ::sigemptyset(&defaults);
    ::sigaddset(&defaults, SIGPIPE);
    ::sigaddset(&defaults, SIGCHLD);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    sigset_t nothing_blocked;
    ::sigemptyset(&nothing_blocked);
    ::posix_spawnattr_setsigmask(&attributes, &nothing_blocked);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    const int group = own_group ? POSIX_SPAWN_SETPGROUP : 0;
    ::posix_spawnattr_setflags(
        &attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group));
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

}  // namespace

Result<ChildProcess> ChildProcess::spawn(const std::vector<std::string>& command,
                                         const std::vector<std::string>& environment,
                                         Settings settings) {
  Channel in;
  if (settings.input) {
    RESIDENT_TRY(in, open_input());
  }
  RESIDENT_TRY(Channel out, open_output());
  RESIDENT_TRY(Channel err, open_output());

  SpawnSettings spawn_settings(settings.own_group);
  int failed = 0;
  if (settings.input) {
    failed =
        ::posix_spawn_file_actions_adddup2(&spawn_settings.actions, in.child.get(), STDIN_FILENO);
  } else {
    failed = ::posix_spawn_file_actions_addopen(&spawn_settings.actions, STDIN_FILENO, "/dev/null",
                                                O_RDONLY, 0);
  }
  if (!failed) {
    failed =
        ::posix_spawn_file_actions_adddup2(&spawn_settings.actions, out.child.get(), STDOUT_FILENO);
  }
  if (!failed) {
    failed =
        ::posix_spawn_file_actions_adddup2(&spawn_settings.actions, err.child.get(), STDERR_FILENO);
  }

  pid_t process = -1;
  if (!failed) {
    failed = ::posix_spawnp(&process, command.front().c_str(), &spawn_settings.actions,
                            &spawn_settings.attributes, c_strings(command).data(),
                            c_strings(environment).data());
  }
  if (failed) return error_from_errno(failed, command.front());
  ChildProcess child;
  child.process_ = process;
  child.own_group_ = settings.own_group;
  child.input = std::move(in.ours);
  child.out = std::move(out.ours);
  child.err = std::move(err.ours);
#ifdef SYS_pidfd_open
  child.ended.reset(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
#endif
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : input(std::move(other.input)),
      out(std::move(other.out)),
      err(std::move(other.err)),
      ended(std::move(other.ended)),
      process_(std::exchange(other.process_, -1)),
      own_group_(other.own_group_),
      ends_group_(other.ends_group_),
      exit_code_(other.exit_code_) {
}

ChildProcess::~ChildProcess() {
  if (process_ < 0) return;
  kill();
  wait();
}

void ChildProcess::signal(int number) {
  // The child is not reaped yet, so the pid is still its own.
  const auto process = static_cast<pid_t>(process_);
  if (process > 0) ::kill(own_group_ ? -process : process, number);
}

void ChildProcess::ask_to_end() {
  signal(SIGTERM);
}
void ChildProcess::kill() {
  signal(SIGKILL);
}

bool ChildProcess::wait_with(int flags) {
  if (process_ < 0) return true;
  const auto process = static_cast<pid_t>(process_);
  if (ends_group_) {
    // Kill the group before reaping: until then, its number cannot belong to another group.
    siginfo_t found_ended{};
    int waited = 0;
    do {
      waited = ::waitid(P_PID, static_cast<id_t>(process), &found_ended, WEXITED | WNOWAIT | flags);
    } while (waited != 0 && errno == EINTR);
    // A child that ends after this check is reaped next time, after its group is killed.
    if (waited == 0 && found_ended.si_pid == 0) return false;
    if (waited == 0) ::kill(-process, SIGKILL);
  }
  int status = 0;
  const pid_t found = reap(process, status, flags);
  if (found == 0) return false;
  if (found > 0) exit_code_ = exit_code_in(status);
  process_ = -1;
  return true;
}

bool ChildProcess::try_wait() {
  return wait_with(WNOHANG);
}
void ChildProcess::wait() {
  wait_with(0);
}

Result<int> run_program(const std::vector<std::string>& command,
                        const std::vector<std::string>& environment) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = -1;
  const int failed = ::posix_spawnp(&process, command.front().c_str(), &actions, nullptr,
                                    c_strings(command).data(), c_strings(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return error_from_errno(failed, command.front());
  int status = 0;
  if (reap(process, status, 0) < 0) return error_from_errno(errno, command.front());
  return exit_code_in(status);
}

Error replace_by_program(const std::vector<std::string>& command) {
  ::execvp(command.front().c_str(), c_strings(command).data());
  return {error_code_from_errno(errno), std::strerror(errno)};
}

}  // namespace resident
