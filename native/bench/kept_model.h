// KeptModel: a resident model of a worktree with its watchers, on the caller's thread. Without a
// thread that applies events as they come, every question pays for all that happened before it.
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
  // What a plain `git status` asks for. Fails where git would answer in the model's place: then
  // there is nothing of ours to measure.
  Result<StatusResult> answer();

 private:
  KeptModel() = default;

  std::unique_ptr<Watcher> watcher_;
  std::unique_ptr<Watcher> metadata_watcher_;
  std::unique_ptr<MetadataGate> gate_;
  std::unique_ptr<WorktreeModel> model_;
};

}  // namespace resident::bench
