// KeptModel: a resident model of a worktree with its watchers, on the caller's thread. No thread
// applies events early: every question pays for all earlier events.
//
// Threads: one.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "model/worktree_model.h"
#include "repo_state/metadata_gate.h"
#include "watch/watcher.h"

namespace resident::bench {

class KeptModel {
 public:
  // Finds the repository; nothing is scanned yet.
  static Result<KeptModel> open(const std::string& worktree, unsigned threads);

  WorktreeModel& model() { return *model_; }
  // Answers a plain `git status`. Fails if git would answer in place of the model.
  Result<StatusResult> answer();

 private:
  KeptModel() = default;

  std::unique_ptr<Watcher> watcher_;
  std::unique_ptr<Watcher> metadata_watcher_;
  std::unique_ptr<MetadataGate> gate_;
  std::unique_ptr<WorktreeModel> model_;
};

}  // namespace resident::bench
