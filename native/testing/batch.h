// Runs lists of commands: the lists in parallel, the commands of a list in order
// (test/support/batch.ts).
//
// A batch consists of fields that end in NUL:
// - the mark file, or nothing: after each command of the first list it gets a line "@<number>";
// - the number of lists; for each list the number of its commands;
// - for each command its directory, then a count and NAME=value pairs beside the batch's own;
// - after these of each command a count and its words, of which the first is a program's path.
//
// Each ended command adds a result: "<list> <number> <code> <bytes> <bytes>\n", then its standard
// output and standard error. Both are files, as with a redirection in the shell. The standard input
// is empty.
#pragma once

#include <algorithm>
#include <chrono>

#include "testing/fork_servers.h"
#include "testing/starting.h"

namespace resident::testing {

class Batch {
 public:
  // `starter` must outlive the batch. `environment` applies to each command beside its own.
  Batch(Fields fields, const std::vector<std::string>& environment, Starter& starter)
      : starter_(starter), mark_in_(fields.next()), lists_(fields.count()) {
    for (List& list : lists_) {
      list.commands.resize(fields.count());
      for (Start& command : list.commands) {
        command.directory = fields.next();
        command.environment = fields.counted();
        // Like a shell after `cd`: git reads from PWD the name by which the directory was entered.
        command.environment.push_back("PWD=" + command.directory);
        complete(command.environment, environment);
        command.words = fields.counted();
        if (command.words.empty()) give_up("a command has no words");
        command.path = command.words[0];
        command.in = nothing_;
      }
    }
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() { ::close(nothing_); }

  // False: a timeout; the running commands were killed.
  bool run(int milliseconds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    for (List& list : lists_) start_next(list);
    for (;;) {
      std::vector<pollfd> ends;
      for (const List& list : lists_) {
        // poll() ignores negative descriptors.
        ends.push_back({list.running ? list.running.ended() : -1, POLLIN, 0});
      }
      const bool none_runs =
          std::all_of(ends.begin(), ends.end(), [](const pollfd& end) { return end.fd < 0; });
      if (none_runs) return true;
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
      const int count =
          ::poll(ends.data(), ends.size(), static_cast<int>(std::max<int64_t>(0, left.count())));
      if (count < 0 && errno != EINTR) give_up("cannot wait");
      if (count == 0) {
        for (List& list : lists_) end_early(list);
        return false;
      }
      for (size_t i = 0; count > 0 && i < lists_.size(); ++i) {
        if (ends[i].revents == 0) continue;
        finish(lists_[i], exit_code(lists_[i].running.status()));
        start_next(lists_[i]);
      }
    }
  }

  const std::string& results() const { return results_; }

 private:
  struct List {
    std::vector<Start> commands;
    // Index of the next command; the running one is the one before it.
    size_t next = 0;
    Running running;
  };

  // Adds the variables of `more` that are not set yet.
  static void complete(std::vector<std::string>& environment,
                       const std::vector<std::string>& more) {
    const size_t own = environment.size();
    for (const std::string& variable : more) {
      const std::string_view name = std::string_view(variable).substr(0, variable.find('=') + 1);
      const bool is_named =
          std::any_of(environment.begin(), environment.begin() + static_cast<ptrdiff_t>(own),
                      [&](const std::string& other) { return other.starts_with(name); });
      if (!is_named) environment.push_back(variable);
    }
  }

  void start_next(List& list) {
    while (!list.running && list.next < list.commands.size()) {
      Start& command = list.commands[list.next++];
      command.out = temporary_file();
      command.err = temporary_file();
      const int failed = starter_.start(command, list.running);
      if (failed == 0) return;
      // Like a shell that cannot enter the directory.
      write_all(command.err, command.directory + ": " + std::strerror(failed) + "\n");
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
    const std::string said = content_of(list.commands[number].out);
    const std::string complained = content_of(list.commands[number].err);
    char head[128];
    const int length =
        std::snprintf(head, sizeof head, "%td %zu %d %zu %zu\n", &list - lists_.data(), number,
                      code, said.size(), complained.size());
    results_.append(head, static_cast<size_t>(length)).append(said).append(complained);
  }

  void end_early(List& list) {
    if (!list.running) return;
    list.running.kill();
    list.running.status();
    ::close(list.commands[list.next - 1].out);
    ::close(list.commands[list.next - 1].err);
  }

  const int nothing_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  Starter& starter_;
  std::string mark_in_;
  std::vector<List> lists_;
  std::string results_;
};

}  // namespace resident::testing
