// spawner: starts programs for the TypeScript tests (test/support/spawner.ts): one program at a
// time, or the lists of a batch in parallel (testing/batch.h). Node would fork its own large
// process for each, which costs more than the program itself.
//
//     spawner <pipe of requests> <pipe of replies>
//
// A request is its byte count and a newline, then fields that end in NUL:
// - the directory;
// - the timeout in milliseconds;
// - a count and the NAME=value pairs of the whole environment;
// - a count and the words.
//
// The rest is the program's standard input. A request without words is a batch, and the rest are
// its fields.
//
// A reply is "<how> <code> <bytes> <bytes>\n", then the program's standard output and standard
// error (both files), or the results of the batch. How is one of three:
// - "ended";
// - "late": killed with its process group after the timeout;
// - "failed": not started; the reason replaces standard error.
//
// The spawner ends with the requests.
#include <fcntl.h>
#include <poll.h>

#include "testing/batch.h"
#include "testing/fork_servers.h"
#include "testing/starting.h"

namespace {

using namespace resident::testing;

int open_pipe(const char* path, int flags) {
  const int file = ::open(path, flags | O_CLOEXEC);
  if (file < 0) give_up(path);
  return file;
}

// Empty at the end of the requests.
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

// The library is in this program's directory.
std::string fork_server_library() {
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length < 0) give_up("no path of our own");
  const std::string_view self(path, static_cast<size_t>(length));
  return std::string(self.substr(0, self.rfind('/'))) + "/fork_server.so";
}

// False: a timeout.
bool wait_for(const Running& running, int milliseconds) {
  pollfd ended{running.ended(), POLLIN, 0};
  return ::poll(&ended, 1, milliseconds) != 0;
}

void reply(int replies, const char* how, int code, const std::string& out, const std::string& err) {
  char head[128];
  const int length =
      std::snprintf(head, sizeof head, "%s %d %zu %zu\n", how, code, out.size(), err.size());
  write_all(replies, std::string(head, static_cast<size_t>(length)) + out + err);
}

void serve(const std::string& request, int replies, Starter& starter) {
  Fields fields(request);
  Start start;
  start.directory = fields.next();
  const int milliseconds = std::atoi(fields.next().c_str());
  start.environment = fields.counted();
  start.words = fields.counted();
  if (start.words.empty()) {
    Batch batch(Fields(fields.rest()), start.environment, starter);
    const bool in_time = batch.run(milliseconds);
    reply(replies, in_time ? "ended" : "late", 0, batch.results(), {});
    return;
  }
  start.path = path_of(start.words[0], start.environment);
  start.in = temporary_file();
  start.out = temporary_file();
  start.err = temporary_file();
  write_all(start.in, fields.rest());
  ::lseek(start.in, 0, SEEK_SET);
  Running running;
  const int failed = starter.start(start, running);
  bool is_late = false;
  int status = 0;
  if (failed == 0) {
    is_late = !wait_for(running, milliseconds);
    if (is_late) running.kill();
    status = running.status();
  }
  ::close(start.in);
  const std::string said = content_of(start.out);
  const std::string complained = content_of(start.err);
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
  Starter starter(fork_server_library());
  for (std::string request; !(request = read_request(requests)).empty();)
    serve(request, replies, starter);
}
