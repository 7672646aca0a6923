// UntrustedSubmodule: the status of a submodule in an untrusted workspace. No program that a
// repository's config names may run there. A model scans the submodule like the worktree itself.
// Git is asked in the background, and only for the submodule's place and config.
//
// Threads: the model's owner.
#pragma once

#include <memory>
#include <string>

#include "model/worktree_model.h"
#include "repo_state/background_git.h"

namespace resident {

class UntrustedSubmodule final : public SubmoduleScan {
 public:
  // `options` are for the submodule's model. `git` belongs to the model of the outer worktree and
  // outlives this object.
  UntrustedSubmodule(FileSystem& fs, std::string path, WorktreeModel::Options options,
                     BackgroundGit& git);
  ~UntrustedSubmodule() override;

  Result<StatusResult> go_on() override;
  std::optional<GitTasks::Awaited> awaited() const override;

 private:
  Result<void> find();

  FileSystem& fs_;
  const std::string path_;
  const WorktreeModel::Options options_;
  BackgroundGit& git_;
  BackgroundGit::RequestId task_ = 0;  // the question for the submodule's place; 0: none
  std::optional<Result<Repository>> found_;
  std::unique_ptr<WorktreeModel> model_;
  WorktreeModel::RequestId asked_ = 0;
  bool begun_ = false;  // the first scan has begun
};

}  // namespace resident
