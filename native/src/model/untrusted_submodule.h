// UntrustedSubmodule: the status of a submodule where nothing that a repository's config names may
// be run: it is scanned like the worktree itself. git is asked only where it is and what its config
// says, in the background.
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
  // `options` are those of its model; `git` is the model's above it, and outlives this.
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
  BackgroundGit::RequestId task_ = 0;  // that asks where it is
  std::optional<Result<Repository>> found_;
  std::unique_ptr<WorktreeModel> model_;
  WorktreeModel::RequestId asked_ = 0;
  bool begun_ = false;  // the first scan
};

}  // namespace resident
