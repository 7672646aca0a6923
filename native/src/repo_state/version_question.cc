#include "repo_state/version_question.h"

#include <utility>

namespace resident {

Result<GitVersion> VersionQuestion::ask(const GitProgram& program) {
  if (const auto version = known_git_version(program)) return *version;
  const bool is_wanted = git_.question() && asked_ < *git_.question();
  if (error_ && program_ == program && !is_wanted) return *error_;
  if (task_ == 0) {
    GitCommand command{.arguments = {"version"}, .options = {.program = program.path}};
    command.options.time_limit = BackgroundGit::kTimeLimit;
    const auto take = [this, program](const Result<GitOutput>& output) {
      task_ = 0;
      error_.reset();
      const auto version = output.ok() ? parse_git_version(output->out) : std::nullopt;
      if (version) return cache_git_version(program, *version);
      error_ = output.ok() ? Error{ErrorCode::kUnsupported,
                                   program.path + ": this git does not report its version"}
                           : output.error();
    };
    program_ = program;
    error_.reset();
    task_ = asked_ = git_.tasks().start(std::move(command), {"git version"}, take);
  }
  return BackgroundGit::pending("git version");
}

}  // namespace resident
