// PromptFacts: what a prompt shows beside the rows of a status, kept: the commit's message and tag,
// remotes, what git is in the middle of, the stash, counts of the index.
//
// Each is made anew where the counts of what it was made from, or the stat of its files, say so.
//
// Threads: the model's owner.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "history/commit_summary.h"
#include "history/remote_branch.h"
#include "history/tags_of_commits.h"
#include "model/model_view.h"
#include "prompt/prompt_status.h"

namespace resident {

class PromptFacts {
 public:
  // `gate` may be null.
  explicit PromptFacts(MetadataGate* gate) : gate_(gate) {}

  // Fills everything but `worktree` and what rows say. `branch` is the current one, counted.
  // `index`: also what takes the index. kUnsupported where only git can tell.
  Result<void> fill(const ModelView& view, const Causes& causes, const BranchStatus& branch,
                    bool index, PromptStatus& status);
  // What decides them, once they were asked for.
  std::vector<std::string> files() const;

 private:
  struct Remotes {
    std::optional<RemoteBranch> upstream;
    std::optional<RemoteBranch> push;
    AheadBehind push_counts;
  };
  struct IndexCounts {
    uint64_t entries = 0;
    uint64_t skip_worktree = 0;
    uint64_t assume_unchanged = 0;
  };

  Result<void> update_commit(const ModelView& view, const Causes& causes);
  Result<void> update_remotes(const ModelView& view, const Causes& causes,
                              const BranchStatus& branch);
  Result<void> update_tags(const ModelView& view, const Causes& causes);
  void update_action(const ModelView& view);
  Result<void> update_stashes(const ModelView& view);
  Result<void> update_index(const ModelView& view, const Causes& causes);

  MetadataGate* const gate_;

  using Counts = std::array<uint64_t, 2>;
  std::optional<Counts> commit_made_from_;
  std::optional<ObjectId> commit_;
  CommitSummary summary_;

  std::optional<Counts> remotes_made_from_;
  FileSet remote_files_;
  Remotes remotes_;

  std::optional<Counts> tags_made_from_;
  FileSet tag_files_;
  TagsOfCommits tags_;

  bool action_is_made_ = false;
  FileSet action_files_;
  std::string action_;

  bool stashes_are_made_ = false;
  FileSet stash_files_;
  int stashes_ = 0;

  std::optional<Counts> index_made_from_;
  IndexCounts index_;
};

}  // namespace resident
