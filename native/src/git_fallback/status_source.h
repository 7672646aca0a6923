// StatusSource: whoever answers questions about a worktree. One source computes the answers from
// the resident tree, the other one passes on the answers of git.
//
// An answer is no older than the last change that the model applied. Errors: kPending while git is
// asked, kUnsupported if the source cannot answer.
//
// Threads: the model's owner.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "explain/explanation.h"
#include "history/branch_details.h"
#include "prompt/prompt_status.h"
#include "repo_state/background_git.h"
#include "status/status.h"

namespace resident {

class StatusSource {
 public:
  // kRefused: an answer with which git would write to stderr is kUnsupported.
  enum class Warnings : uint8_t { kAllowed, kRefused };
  // The status that deltas report beside the rows.
  struct Reported {
    const std::set<std::string>& untracked;
    const std::optional<BranchStatus>& branch;    // unset: not known yet
    const std::optional<BranchDetails>& details;  // unset: not wanted
  };

  StatusSource() = default;
  virtual ~StatusSource() = default;
  StatusSource(const StatusSource&) = delete;
  StatusSource& operator=(const StatusSource&) = delete;

  // The contracts of WorktreeModel's functions with these names.
  virtual Result<StatusResult> answer(const StatusQuery& query, Warnings warnings) = 0;
  virtual Result<PromptStatus> prompt(const PromptQuery& query) = 0;
  virtual Result<std::vector<bool>> ignored(const std::vector<std::string>& paths) = 0;
  virtual Result<std::optional<std::string>> content(const std::string& path, int stage) = 0;
  virtual Result<Explanation> explain(const std::string& path, bool as_directory) = 0;

  virtual Reported reported() const = 0;
  // Reports details from the next update on, or no longer.
  virtual void want_details(bool wanted) = 0;
  // The time of the next update without an event; nullopt: none. `failed`: the last update failed.
  virtual BackgroundGit::DueTime due(bool failed) const = 0;
};

}  // namespace resident
