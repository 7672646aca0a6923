#include "history/rebase_todo.h"

#include <algorithm>
#include <cstdlib>

#include "base/cut_text.h"
#include "history/message_config.h"
#include "history/object_name.h"

namespace resident {

namespace {

constexpr size_t kShown = 2;
constexpr std::string_view kDone = "rebase-merge/done";
constexpr std::string_view kNext = "rebase-merge/git-rebase-todo";

// Returns views of `list`, which must outlive them.
std::vector<std::string_view> commands_of(const std::optional<std::string>& list,
                                          std::string_view comment) {
  std::vector<std::string_view> commands;
  std::string_view content = list ? std::string_view(*list) : std::string_view();
  while (!content.empty()) {
    const std::string_view line = cut(content, '\n');
    if (line.starts_with(comment)) continue;
    if (std::string_view command = trimmed(line); !command.empty()) commands.push_back(command);
  }
  return commands;
}

// The command. If its second word names an object, that word is abbreviated.
Result<std::string> shown(const OperationSources& sources, std::string_view command) {
  if (command.find('\0') != std::string_view::npos) {
    return Error{ErrorCode::kUnsupported, "a rebase command contains a NUL byte"};
  }
  for (std::string_view plain : {"exec ", "x ", "label ", "l "}) {
    if (command.starts_with(plain)) return std::string(command);
  }
  const size_t space = command.find(' ');
  if (space == std::string_view::npos) return std::string(command);
  const std::string_view verb = command.substr(0, space + 1);
  const std::string_view rest = command.substr(space + 1);
  const size_t word_end = std::min(rest.find(' '), rest.size());
  RESIDENT_TRY(const std::optional<ObjectId> id,
               object_named(sources, trimmed(rest.substr(0, word_end))));
  if (!id) return std::string(command);
  RESIDENT_TRY(const std::string abbreviated, abbreviate(sources, *id));
  const bool ends_here = word_end == rest.size();
  std::string line = std::string(verb) + abbreviated;
  if (!ends_here || !sources.rules.trims_rebase_command) line += " ";
  if (!ends_here) line += rest.substr(word_end + 1);
  return line;
}

// The name that git prints for a file of its git directory. git runs in the root of the worktree.
// It prints ".git" for an ordinary repository and the absolute path for a linked worktree.
Result<std::string> name_for_people(const OperationSources& sources, std::string_view file) {
  const Repository& repository = sources.repository;
  if (std::getenv("GIT_DIR") || std::getenv("GIT_WORK_TREE") ||
      sources.config.find("core.worktree")) {
    return Error{ErrorCode::kUnsupported,
                 repository.git_dir + ": git can print this path in different ways"};
  }
  RESIDENT_TRY(const FileStat stat, sources.fs.stat(repository.worktree + "/.git"));
  const bool is_inside = stat.kind == FileKind::kDirectory;
  return (is_inside ? ".git" : repository.git_dir) + "/" + std::string(file);
}

}  // namespace

Result<RebaseTodo> read_rebase_todo(const OperationSources& sources) {
  const std::string comment = configured_comment(sources.config, sources.rules);
  RESIDENT_TRY(const std::optional<std::string> done, read_operation_file(sources, kDone));
  RESIDENT_TRY(const std::optional<std::string> next, read_operation_file(sources, kNext));
  RebaseTodo todo;
  todo.next_is_missing = !next;
  const std::vector<std::string_view> done_commands = commands_of(done, comment);
  const std::vector<std::string_view> next_commands = commands_of(next, comment);
  todo.done_count = done_commands.size();
  todo.next_count = next_commands.size();
  for (size_t i = todo.done_count - std::min(kShown, todo.done_count); i < todo.done_count; ++i) {
    RESIDENT_TRY(std::string line, shown(sources, done_commands[i]));
    todo.done.push_back(std::move(line));
  }
  for (size_t i = 0; i < std::min(kShown, todo.next_count); ++i) {
    RESIDENT_TRY(std::string line, shown(sources, next_commands[i]));
    todo.next.push_back(std::move(line));
  }
  if (todo.done_count > kShown) {
    RESIDENT_TRY(todo.done_file, name_for_people(sources, kDone));
  }
  return todo;
}

}  // namespace resident
