// batch_runner: runs lists of commands side by side, those of each list one after another, for the
// TypeScript tests (test/support/batch.ts), to which a process of Node's costs more than the
// commands themselves.
//
// Standard input, each field ended by NUL:
//   the file that gets a line "@<number>" after each command of the first list, or nothing;
//   the number of lists; for each list the number of its commands; for each command its directory,
//   a count and as many NAME=value beside our own environment, a count and as many words.
// Standard output, for each command when it has ended: "<list> <number> <code> <bytes> <bytes>\n",
// then what it wrote to its standard output and error, which are files, as it is for a redirection
// of the shell. Its input is empty.
#include <fcntl.h>
#include <spawn.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "testing/starting.h"

namespace {

using namespace resident::testing;

struct Command {
  std::string directory;
  std::vector<std::string> environment;
  std::vector<std::string> words;
};

struct List {
  std::vector<Command> commands;
  // What runs now: `next` is the number of the one after it.
  size_t next = 0;
  pid_t running = 0;
  int out = -1;
  int err = -1;
};

std::vector<char*> environment_with(const std::vector<std::string>& more) {
  std::vector<char*> result = pointers(more);
  const auto is_named_in_more = [&](std::string_view variable) {
    const std::string_view name = variable.substr(0, variable.find('=') + 1);
    return std::any_of(more.begin(), more.end(),
                       [&](const std::string& other) { return other.starts_with(name); });
  };
  for (char** variable = environ; *variable; ++variable) {
    if (!is_named_in_more(*variable)) result.push_back(*variable);
  }
  result.push_back(nullptr);
  return result;
}

void tell(size_t list, size_t number, int code, int out, int err) {
  ::lseek(out, 0, SEEK_SET);
  ::lseek(err, 0, SEEK_SET);
  const std::string said = read_all(out);
  const std::string complained = read_all(err);
  ::close(out);
  ::close(err);
  char head[128];
  const int length = std::snprintf(head, sizeof head, "%zu %zu %d %zu %zu\n", list, number, code,
                                   said.size(), complained.size());
  write_all(STDOUT_FILENO, std::string(head, static_cast<size_t>(length)) + said + complained);
}

// 0, or why it does not run.
int start(const Command& command, List& list) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, list.out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, list.err, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, command.directory.c_str());
  std::vector<char*> words = pointers(command.words);
  words.push_back(nullptr);
  const int failed = ::posix_spawn(&list.running, words[0], &actions, nullptr, words.data(),
                                   environment_with(command.environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) list.running = 0;
  return failed;
}

class Batch {
 public:
  explicit Batch(Fields fields) : mark_in_(fields.next()), lists_(fields.count()) {
    for (List& list : lists_) {
      list.commands.resize(fields.count());
      for (Command& command : list.commands) {
        command.directory = fields.next();
        command.environment = fields.counted();
        // As a shell says it after `cd`: git takes from it by which name it was called.
        command.environment.push_back("PWD=" + command.directory);
        command.words = fields.counted();
        if (command.words.empty()) give_up("a command has no words");
      }
    }
  }

  void run() {
    for (List& list : lists_) start_next(list);
    while (std::any_of(lists_.begin(), lists_.end(), [](List& list) { return list.running; })) {
      int status = 0;
      const pid_t ended = ::waitpid(-1, &status, 0);
      if (ended < 0 && errno != EINTR) give_up("cannot wait");
      for (List& list : lists_) {
        if (ended <= 0 || list.running != ended) continue;
        list.running = 0;
        finish(list, exit_code(status));
        start_next(list);
      }
    }
  }

 private:
  void start_next(List& list) {
    while (list.running == 0 && list.next < list.commands.size()) {
      const Command& command = list.commands[list.next++];
      list.out = temporary_file();
      list.err = temporary_file();
      const int failed = start(command, list);
      if (failed == 0) return;
      // As for a person whose shell cannot go there.
      write_all(list.err, command.directory + ": " + std::strerror(failed) + "\n");
      finish(list, 2);
    }
  }

  void finish(List& list, int code) {
    const size_t number = list.next - 1;
    if (&list == lists_.data() && !mark_in_.empty()) {
      const int file = ::open(mark_in_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
      if (file < 0) give_up("no marks");
      write_all(file, "@" + std::to_string(number) + "\n");
      ::close(file);
    }
    tell(static_cast<size_t>(&list - lists_.data()), number, code, list.out, list.err);
  }

  std::string mark_in_;
  std::vector<List> lists_;
};

}  // namespace

int main() {
  const std::string input = read_all(STDIN_FILENO);
  Batch(Fields(input)).run();
}
