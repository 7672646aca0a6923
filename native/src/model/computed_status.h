// ComputedStatus: computes git's answers from the tree, the index and HEAD. Its parts keep derived
// data, and rebuild them only if the counters of their inputs differ (InputVersions).
//
// Deltas read the rows, the branch and the details that update() made. A question with other
// options makes its own rows.
//
// Threads: the model's owner.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "delta/delta_maker.h"
#include "git_fallback/status_source.h"
#include "model/current_branch.h"
#include "model/known_submodules.h"
#include "model/model_inputs.h"
#include "model/prompt_facts.h"
#include "model/staged_changes.h"
#include "model/status_rows.h"
#include "model/tree_freshness.h"

namespace resident {

class ComputedStatus final : public StatusSource {
 public:
  // All arguments outlive this object.
  ComputedStatus(ModelInputs& inputs, TreeFreshness& freshness, DeltaMaker& deltas);

  // Updates everything that is derived from the tree, the index and HEAD. kUnsupported: only git
  // can answer.
  Result<void> update();
  const KnownSubmodules& submodules() const { return submodules_; }
  void add_files(std::vector<std::string>& files) const;

  Result<StatusResult> answer(const StatusQuery& query, Warnings warnings) override;
  Result<PromptStatus> prompt(const PromptQuery& query) override;
  Result<std::vector<bool>> ignored(const std::vector<std::string>& paths) override;
  Result<std::optional<std::string>> content(const std::string& path, int stage) override;
  Result<Explanation> explain(const std::string& path, bool as_directory) override;
  Reported reported() const override {
    return {freshness_.tree().untracked.all(), branch_.get(), details_};
  }
  void want_details(bool wanted) override;
  BackgroundGit::DueTime due(bool failed) const override;

 private:
  ModelView view() const;
  StatusRows::Sources sources(const ModelView& view) const { return {view, staged_, submodules_}; }
  KnownSubmodules::Setup submodules_setup();

  Result<void> diff_head();
  Result<void> expand_index(std::vector<uint32_t> directories);
  Result<void> update_parts();
  Result<void> update_branch(const ModelView& view);
  // kPending while commits are being counted.
  Result<void> count_branch(const ModelView& view);
  void update_details(const ModelView& view);

  // kPending while git is asked about an input of this answer.
  Result<void> check_known(const ModelView& view, const StatusQuery& query);
  Result<void> check_known_at(const ModelView& view, const std::string& path);
  Result<void> check_filters(const FilteredFiles::Counts& counts);
  // Calls `use` with the rows for `query`.
  Result<void> with_rows(const ModelView& view, const StatusQuery& query,
                         const std::function<void(const TrackedRows&)>& use);
  Result<void> add_branch(const ModelView& view, const StatusQuery& query, StatusResult& result);
  Result<void> add_operation(const ModelView& view, StatusResult& result) const;

  ModelInputs& inputs_;
  TreeFreshness& freshness_;
  DeltaMaker& deltas_;
  StagedChanges staged_;
  StatusRows rows_;
  KnownSubmodules submodules_;
  CurrentBranch branch_;
  PromptFacts prompt_;
  bool wants_details_ = false;
  std::optional<BranchDetails> details_;  // unset: not wanted, or not known yet
};

}  // namespace resident
