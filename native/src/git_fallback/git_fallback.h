// GitFallback: the answers of git, for a worktree whose status only git can compute.
//
// Two sets of files are recorded here. The deciding files decide whether git has to answer: if one
// changes, the model must try again to compute the status itself. The answer files decide git's
// answer: git is asked for the rows again if one changes.
//
// Threads: the model's owner.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "delta/delta_maker.h"
#include "filter/outside_programs.h"
#include "git_fallback/git_delegate.h"
#include "git_fallback/status_source.h"
#include "repo_state/repository_state.h"

namespace resident {

class GitFallback final : public StatusSource {
 public:
  struct Setup {
    FileSystem& fs;
    const Repository& repository;
    MetadataGate* gate;  // may be null
    BackgroundGit& git;
    RepositoryState& state;
    DeltaMaker& deltas;
    // The files that decide where the repository is.
    std::function<std::vector<std::string>()> place_files;
    // The directories with a `.git`, from the root; nullopt: the worktree can change without an
    // event.
    std::function<std::optional<std::vector<std::string>>()> repositories_below;
  };

  explicit GitFallback(const Setup& setup)
      : setup_(setup), delegate_(setup.fs, setup.repository.algorithm, setup.gate, setup.git) {}

  // --- Whether git answers

  bool is_active() const { return delegate_.is_active(); }
  const std::string& reason() const { return delegate_.reason(); }
  // From here on git answers, because of `reason`. Reports `before` until git has answered.
  void begin(std::string reason, const Reported& before);
  // git no longer answers. Reports the differences to these untracked files.
  void end(const std::set<std::string>& untracked);
  // See GitDelegate::refute().
  void refute() { delegate_.refute(); }

  // Call before each scan.
  void record_changed_files();
  // Records the deciding files. False: these files were recorded before, so that a failure counts
  // that came after.
  bool record_deciding_files();
  void forget_files() { delegate_.forget_files(); }
  // True if the reason for git may be gone.
  bool may_be_over();

  // --- git's answers

  // Asks git for the rows again if `happened`, or if another input of git changed. Reports the
  // newest answer.
  Result<void> update(bool happened);
  // The same, in any case.
  Result<void> ask_again();
  // All answers of git are stale.
  void forget() { delegate_.forget(); }
  void drop_forgotten() { delegate_.drop_forgotten(); }
  // Forces the next question to ask git about everything again.
  void invalidate() { delegate_.invalidate_outputs(); }
  // git's answer to a user's command, from the directory `prefix` ("" or "sub/dir/"). Call while
  // is_active(), right after an update. Kept until something changes.
  Result<GitOutput> output(const std::vector<std::string>& arguments, const std::string& prefix);
  // How often git ran while it answered.
  uint64_t runs() const { return delegate_.runs(); }
  void add_files(std::vector<std::string>& files) const { delegate_.add_files(files); }

  // kUnsupported for the operation, for a pathspec, and for Warnings::kRefused: the caller then
  // runs git with the original command line.
  Result<StatusResult> answer(const StatusQuery& query, Warnings warnings) override;
  Result<PromptStatus> prompt(const PromptQuery& query) override;
  Result<std::vector<bool>> ignored(const std::vector<std::string>& paths) override;
  Result<std::optional<std::string>> content(const std::string& path, int stage) override;
  // Always kUnsupported.
  Result<Explanation> explain(const std::string& path, bool as_directory) override;
  Reported reported() const override { return {untracked_, branch_, details_}; }
  void want_details(bool wanted) override;
  BackgroundGit::DueTime due(bool /*failed*/) const override { return delegate_.due(); }

 private:
  std::vector<std::string> deciding_files() const;
  std::optional<std::vector<std::string>> answer_files();
  void record_files();
  void update_details();
  Result<void> report();

  const Setup setup_;
  GitDelegate delegate_;
  OutsidePrograms programs_;  // programs that git's answer depends on, if all are known
  std::set<std::string> untracked_;
  std::optional<BranchStatus> branch_;
  bool wants_details_ = false;
  std::optional<BranchDetails> details_;
};

}  // namespace resident
