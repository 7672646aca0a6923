// VersionQuestion: asks a git for its version, in the background.
//
// A refusal is kept until a question comes or another program is asked.
//
// Threads: the model's owner.
#pragma once

#include <optional>

#include "git/git_program.h"
#include "git/git_version.h"
#include "repo_state/background_git.h"

namespace resident {

class VersionQuestion {
 public:
  // `git` must outlive this object.
  explicit VersionQuestion(BackgroundGit& git) : git_(git) {}

  // kPending: this git has not answered yet.
  Result<GitVersion> ask(const GitProgram& program);

 private:
  BackgroundGit& git_;
  BackgroundGit::RequestId task_ = 0;  // the running task; 0: none
  BackgroundGit::RequestId asked_ = 0;
  std::optional<GitProgram> program_;  // the program that was asked
  std::optional<Error> error_;
};

}  // namespace resident
