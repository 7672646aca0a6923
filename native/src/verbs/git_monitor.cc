#include "verbs/git_monitor.h"

#include <algorithm>
#include <string_view>

#include "base/path_parts.h"
#include "fs/real_path.h"
#include "git/git_environment.h"
#include "verbs/git_command_line.h"

namespace resident {

namespace {

constexpr std::string_view kIndexFile = "GIT_INDEX_FILE";

std::optional<std::string_view> value_in(std::string_view variables, std::string_view name) {
  while (!variables.empty()) {
    const std::string_view variable = variables.substr(0, variables.find('\0'));
    variables.remove_prefix(std::min(variables.size(), variable.size() + 1));
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with('=')) {
      return variable.substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string monitor_answer(const ChangesReply& reply) {
  std::string output = reply.token + '\0';
  if (reply.everything) return output.append("/").append(1, '\0');
  for (const std::string& name : reply.names) output.append(name).push_back('\0');
  return output;
}

WorktreeModel::ChangesFor asker_of(std::string_view command_line) {
  return keeps_modules(command_line) ? WorktreeModel::ChangesFor::kGitKeepingModules
                                     : WorktreeModel::ChangesFor::kGit;
}

std::string index_file_at(const std::string& root, std::string_view index_file) {
  std::string path = index_file.starts_with('/') ? "" : root + "/";
  path.append(index_file);
  std::string directory = real_path(parent_directory(path));
  return directory.empty() ? "" : directory.append("/").append(base_name(path));
}

std::optional<ChangesQuestion> monitor_question_of(ProcessId git, const std::string& token) {
  if (git == 0) return std::nullopt;
  const std::optional<std::string> variables = environment_of(git);
  ChangesQuestion question{asker_of(command_line_of(git)), token};
  question.worktree = working_directory_of(git);
  if (!variables || question.worktree.empty() || value_in(*variables, kAskedByUs)) {
    return std::nullopt;
  }
  if (const auto index_file = value_in(*variables, kIndexFile)) {
    question.index_file = index_file_at(question.worktree, *index_file);
    if (question.index_file.empty()) return std::nullopt;
  }
  return question;
}

}  // namespace resident
