// spawner: starts programs for the TypeScript tests (test/support/spawner.ts), one at a time. Node
// would fork its own process for each, which costs more than the program does.
//
//     spawner <pipe of requests> <pipe of replies>
//
// A request is the number of its bytes and a newline, then fields ended by NUL: the directory, the
// milliseconds that the program may take, a count and as many NAME=value, which are all of its
// environment, a count and as many words; what follows is the program's standard input.
// A reply: "<how> <code> <bytes> <bytes>\n", then what the program wrote to its standard output and
// error, which are files. How: "ended"; "late", where it was killed with its process group when its
// time was over; "failed", where it could not be started, for the reason that stands for its error.
// Ends with the requests.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>

#include "testing/starting.h"

namespace {

using namespace resident::testing;

int open_pipe(const char* path, int flags) {
  const int file = ::open(path, flags | O_CLOEXEC);
  if (file < 0) give_up(path);
  return file;
}

// Empty at the end.
std::string read_request(int requests) {
  std::string length;
  for (char c = 0;;) {
    const ssize_t count = ::read(requests, &c, 1);
    if (count == 0 && length.empty()) return {};
    if (count == 0 || (count < 0 && errno != EINTR)) give_up("no whole request");
    if (count < 0) continue;
    if (c == '\n') break;
    length += c;
  }
  std::string request(std::strtoull(length.c_str(), nullptr, 10), '\0');
  for (size_t at = 0; at < request.size();) {
    const ssize_t count = ::read(requests, request.data() + at, request.size() - at);
    if (count == 0 || (count < 0 && errno != EINTR)) give_up("no whole request");
    if (count > 0) at += static_cast<size_t>(count);
  }
  return request;
}

// Found as execvp() would with that environment.
std::string path_of(const std::string& program, const std::vector<std::string>& environment) {
  if (program.find('/') != program.npos) return program;
  std::string_view places = "/usr/bin:/bin";
  for (const std::string& variable : environment) {
    if (variable.starts_with("PATH=")) places = std::string_view(variable).substr(5);
  }
  for (;;) {
    const std::string_view place = places.substr(0, places.find(':'));
    std::string path = std::string(place.empty() ? "." : place) + "/" + program;
    if (::access(path.c_str(), X_OK) == 0) return path;
    if (place.size() == places.size()) return program;
    places.remove_prefix(place.size() + 1);
  }
}

// False: its time is over.
bool wait_for(pid_t child, int milliseconds) {
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (process < 0) give_up("no pidfd");
  pollfd ended{process, POLLIN, 0};
  const int count = ::poll(&ended, 1, milliseconds);
  ::close(process);
  return count != 0;
}

void reply(int replies, const char* how, int code, const std::string& out, const std::string& err) {
  char head[128];
  const int length =
      std::snprintf(head, sizeof head, "%s %d %zu %zu\n", how, code, out.size(), err.size());
  write_all(replies, std::string(head, static_cast<size_t>(length)) + out + err);
}

std::string content_of(int file) {
  ::lseek(file, 0, SEEK_SET);
  std::string content = read_all(file);
  ::close(file);
  return content;
}

void serve(const std::string& request, int replies) {
  Fields fields(request);
  const std::string directory = fields.next();
  const int milliseconds = std::atoi(fields.next().c_str());
  const std::vector<std::string> environment = fields.counted();
  const std::vector<std::string> words = fields.counted();
  if (words.empty()) give_up("a request has no words");
  const int in = temporary_file();
  const int out = temporary_file();
  const int err = temporary_file();
  write_all(in, fields.rest());
  ::lseek(in, 0, SEEK_SET);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> arguments = pointers(words);
  std::vector<char*> variables = pointers(environment);
  arguments.push_back(nullptr);
  variables.push_back(nullptr);
  pid_t child = 0;
  const std::string path = path_of(words[0], environment);
  const int failed = ::posix_spawn(&child, path.c_str(), &actions, &attributes, arguments.data(),
                                   variables.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  bool is_late = false;
  int status = 0;
  if (failed == 0) {
    is_late = !wait_for(child, milliseconds);
    if (is_late) ::kill(-child, SIGKILL);
    while (::waitpid(child, &status, 0) < 0) {
      if (errno != EINTR) give_up("cannot wait");
    }
  }
  ::close(in);
  const std::string said = content_of(out);
  const std::string complained = content_of(err);
  if (failed != 0) {
    reply(replies, "failed", failed, {}, std::strerror(failed));
  } else {
    reply(replies, is_late ? "late" : "ended", exit_code(status), said, complained);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) give_up("two pipes are needed");
  const int requests = open_pipe(argv[1], O_RDONLY);
  const int replies = open_pipe(argv[2], O_WRONLY);
  for (std::string request; !(request = read_request(requests)).empty();) serve(request, replies);
}
