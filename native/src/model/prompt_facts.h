// PromptFacts: what a prompt, or whoever asks for details, is told beside the rows of a status,
// kept: the commit's message and tags, remotes, what git is in the middle of, the stash, counts of
// the index.
//
// Each is made when it is asked for first, and anew where the counts of what it was made from, or
// the stat of its files, say so. Commits are visited in steps of some milliseconds, where the owner
// can wait.
//
// Threads: the model's owner.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "history/branch_details.h"
#include "history/commit_summary.h"
#include "model/model_view.h"
#include "model/nearest_tags.h"
#include "model/remote_branches.h"
#include "prompt/prompt_status.h"

namespace resident {

class PromptFacts {
 public:
  // `gate` may be null. Not `in_steps`: each call comes to its end.
  PromptFacts(MetadataGate* gate, bool in_steps)
      : gate_(gate), in_steps_(in_steps), remotes_(gate), nearest_(gate) {}

  // Fills everything but `worktree` and what rows say. `branch` is the current one, counted.
  // kUnsupported where only git can tell; kPending: it is to be called again.
  Result<void> fill(const ModelView& view, const InputVersions& versions,
                    const BranchStatus& branch, const PromptQuery& query, PromptStatus& status);
  // With Known::kPending in it, it is to be called again. `branch` need not be counted. Not
  // `may_step`: no commit is visited.
  BranchDetails details(const ModelView& view, const InputVersions& versions,
                        const BranchStatus& branch, bool may_step);
  // What decides them, once they were asked for.
  std::vector<std::string> files() const;

 private:
  using Budget = AheadBehindWalk::Budget;
  struct IndexCounts {
    uint64_t entries = 0;
    uint64_t skip_worktree = 0;
    uint64_t assume_unchanged = 0;
  };

  Result<void> update_commit(const ModelView& view, const InputVersions& versions);
  Result<void> fill_remotes(const ModelView& view, const InputVersions& versions,
                            const BranchStatus& branch, PromptStatus& status);
  Result<void> fill_descriptions(const ModelView& view, const InputVersions& versions,
                                 const PromptQuery& query, PromptStatus& status);
  void add_tag(const ModelView& view, const InputVersions& versions, const Budget& budget,
               BranchDetails& details);
  void add_remotes(const ModelView& view, const InputVersions& versions, const BranchStatus& branch,
                   const Budget& budget, BranchDetails& details);
  Budget budget() const;
  void update_action(const ModelView& view);
  Result<void> update_stashes(const ModelView& view);
  Result<void> update_index(const ModelView& view, const InputVersions& versions);

  MetadataGate* const gate_;
  const bool in_steps_;

  using Counts = std::array<uint64_t, 2>;
  std::optional<Counts> commit_made_from_;
  std::optional<ObjectId> commit_;
  CommitSummary summary_;

  RemoteBranches remotes_;
  NearestTags nearest_;

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
