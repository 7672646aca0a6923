// Starts programs for tests. A program that is started often is forked from a started one
// (testing/fork_server.cc); others use posix_spawn(). Both give the same result: a process in its
// own process group, with the requested words, environment, directory and three files.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <map>
#include <memory>
#include <tuple>

#include "testing/fork_request.h"
#include "testing/starting.h"

namespace resident::testing {

struct Start {
  std::string path;
  std::string directory;
  // The whole environment.
  std::vector<std::string> environment;
  std::vector<std::string> words;
  int in = -1;
  int out = -1;
  int err = -1;
};

// One program that waits to be forked; inactive if the program cannot be forked.
class ForkServer {
 public:
  ForkServer(const std::string& path, const std::string& library) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) give_up("no sockets");
    socket_ = ends[0];
    process_ = start(path, library, ends[1]);
    ::close(ends[1]);
    if (process_ == 0 || !is_of(path)) stop();
  }
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;
  ~ForkServer() { stop(); }

  bool runs() const { return socket_ >= 0; }
  // True while its process runs. The next start must wait until status() was read.
  bool busy() const { return busy_; }
  int socket() const { return socket_; }

  // Returns the process id, a negative errno, or 0 if the request is too large.
  int fork(const Start& start) {
    if (start.environment.size() + start.words.size() > kForkRequestFields) return 0;
    std::string request;
    const auto add = [&](std::string_view field) { request.append(field).push_back('\0'); };
    const auto add_list = [&](const std::vector<std::string>& fields) {
      add(std::to_string(fields.size()));
      for (const std::string& field : fields) add(field);
    };
    add(start.directory);
    add_list(start.environment);
    add_list(start.words);
    if (request.size() > kForkRequestBytes) return 0;
    send(request, {start.in, start.out, start.err});
    const int process = receive();
    busy_ = process > 0;
    return process;
  }

  // Waits, and returns the status of wait().
  int status() {
    const int status = receive();
    busy_ = false;
    return status;
  }

 private:
  static pid_t start(const std::string& path, const std::string& library, int socket) {
    const std::vector<std::string> added = {"LD_PRELOAD=" + library,
                                            "RESIDENT_FORK_SERVER=" + std::to_string(kSocket)};
    std::vector<char*> variables = pointers(added);
    for (char** variable = environ; *variable; ++variable) variables.push_back(*variable);
    variables.push_back(nullptr);
    const std::vector<std::string> words = {path};
    std::vector<char*> arguments = pointers(words);
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, socket, kSocket);
    change_directory(actions, "/");
    pid_t process = 0;
    const int failed = ::posix_spawn(&process, path.c_str(), &actions, nullptr, arguments.data(),
                                     variables.data());
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0 ? process : 0;
  }

  // A script loads the library into its shell. A program without a dynamic loader ends without a
  // reply.
  bool is_of(const std::string& path) {
    char said[4096];
    ssize_t length = 0;
    while ((length = ::recv(socket_, said, sizeof said, 0)) < 0 && errno == EINTR) continue;
    if (length <= 0) return false;
    char* real = ::realpath(path.c_str(), nullptr);
    const bool same =
        real && std::string_view(real) == std::string_view(said, static_cast<size_t>(length));
    std::free(real);
    return same;
  }

  void stop() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
    }
    process_ = 0;
  }

  void send(const std::string& request, const int (&files)[3]) {
    iovec bytes{const_cast<char*>(request.data()), request.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof files)] = {};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof files);
    std::memcpy(CMSG_DATA(head), files, sizeof files);
    if (::sendmsg(socket_, &message, MSG_NOSIGNAL) < 0) give_up("a fork server has ended");
  }

  int receive() {
    int number = 0;
    ssize_t length = 0;
    while ((length = ::recv(socket_, &number, sizeof number, 0)) < 0 && errno == EINTR) continue;
    if (length != sizeof number) give_up("a fork server has ended");
    return number;
  }

  // Number of the socket in a program that has only the three standard descriptors.
  static constexpr int kSocket = 3;

  int socket_ = -1;
  pid_t process_ = 0;
  bool busy_ = false;
};

// A started process whose end was not read yet.
class Running {
 public:
  Running() = default;
  Running(pid_t process, ForkServer* server) : process_(process), server_(server) {
    if (server_) return;
    file_ = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    if (file_ < 0) give_up("no pidfd");
  }

  explicit operator bool() const { return process_ != 0; }
  // A descriptor that is readable when the process has ended.
  int ended() const { return server_ ? server_->socket() : file_; }
  void kill() const { ::kill(-process_, SIGKILL); }

  // Waits, and returns the status of wait().
  int status() {
    int status = 0;
    if (server_) {
      status = server_->status();
    } else {
      ::close(file_);
      while (::waitpid(process_, &status, 0) < 0) {
        if (errno != EINTR) give_up("cannot wait");
      }
    }
    process_ = 0;
    return status;
  }

 private:
  pid_t process_ = 0;
  ForkServer* server_ = nullptr;
  int file_ = -1;
};

// For one thread, except spawn().
class Starter {
 public:
  // `library`: path of the library of testing/fork_server.cc.
  explicit Starter(std::string library) : library_(std::move(library)) {}

  // Returns 0 or an errno.
  int start(const Start& start, Running& running) {
    if (ForkServer* server = server_of(start)) {
      const int process = server->fork(start);
      if (process < 0) return -process;
      if (process > 0) {
        running = Running(process, server);
        return 0;
      }
    }
    return spawn(start, running);
  }

  // Always uses posix_spawn(). Any thread.
  static int spawn(const Start& start, Running& running) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, start.in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, start.out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, start.err, STDERR_FILENO);
    change_directory(actions, start.directory.c_str());
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<char*> words = pointers(start.words);
    std::vector<char*> variables = pointers(start.environment);
    words.push_back(nullptr);
    variables.push_back(nullptr);
    pid_t process = 0;
    const int failed = ::posix_spawn(&process, start.path.c_str(), &actions, &attributes,
                                     words.data(), variables.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed == 0) running = Running(process, nullptr);
    return failed;
  }

 private:
  struct Program {
    // Identity of the file at the path.
    std::tuple<dev_t, ino_t, off_t, time_t, long> file;
    std::unique_ptr<ForkServer> server;
    int starts = 0;
  };

  // True for programs that do nothing before main(), without environment variables for the loader,
  // malloc or sanitizers. A git-resident that runs as a hook checks its parent: a fork would
  // disturb it.
  static bool can_be_forked(const Start& start) {
    const std::string_view path = start.path;
    const bool is_status = start.words.size() > 1 && start.words[1] == "status";
    if (!path.ends_with("/git") && !(path.ends_with("/git-resident") && is_status)) return false;
    for (const std::string_view variable : start.environment) {
      const std::string_view name = variable.substr(0, variable.find('='));
      if (name.starts_with("LD_") || name.starts_with("GLIBC_") || name.starts_with("MALLOC_") ||
          name.ends_with("SAN_OPTIONS")) {
        return false;
      }
    }
    return true;
  }

  // nullptr: use posix_spawn().
  ForkServer* server_of(const Start& start) {
    if (!can_be_forked(start)) return nullptr;
    const std::string& path = start.path;
    struct stat is {};
    if (::stat(path.c_str(), &is) != 0) return nullptr;
    const std::tuple file(is.st_dev, is.st_ino, is.st_size, is.st_mtim.tv_sec, is.st_mtim.tv_nsec);
    Program& program = programs_[path];
    if (program.server && program.server->busy()) return nullptr;
    if (program.file != file) program = Program{.file = file, .server = {}};
    // Starting a server costs as much as one or two starts.
    if (++program.starts == kStartsWithout + 1)
      program.server = std::make_unique<ForkServer>(path, library_);
    ForkServer* server = program.server.get();
    return server && server->runs() ? server : nullptr;
  }

  static constexpr int kStartsWithout = 2;

  std::string library_;
  std::map<std::string, Program> programs_;
};

}  // namespace resident::testing
