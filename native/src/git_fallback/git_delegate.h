// GitDelegate: lets git answer for the whole worktree, and keeps the reason. It keeps git's answers
// until something changes, and supplies the rows for deltas.
//
// Invariant: a returned answer is newer than the last change that was applied before the question.
// Outside a question, the best available answer is returned.
//
// Threads: the model's owner.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "git/git_output_cache.h"
#include "repo_state/background_git.h"
#include "status/status.h"

namespace resident {

class GitDelegate {
 public:
  using RequestId = BackgroundGit::RequestId;
  // Finds the files around the worktree that can change git's answers; nullopt: too many to check.
  using FindFiles = std::function<std::optional<std::vector<std::string>>()>;

  // All arguments outlive this object; `gate` may be null.
  GitDelegate(FileSystem& fs, HashAlgorithm algorithm, MetadataGate* gate, BackgroundGit& git)
      : fs_(fs), algorithm_(algorithm), gate_(gate), git_(git), outputs_(git.tasks()) {}

  bool is_active() const { return !reason_.empty(); }
  // Why git has to answer; "": not active.
  const std::string& reason() const { return reason_; }
  void begin(std::string reason) {
    reason_ = std::move(reason);
    is_refuted_ = false;
  }
  // A scan found that the reason is gone, but then failed with another error. Until a scan succeeds
  // or finds a new reason, git's output is not the answer.
  void refute() { is_refuted_ = true; }
  bool is_refuted() const { return is_refuted_; }
  void end();

  // --- The files that decide whether git has to answer

  bool has_files(const std::vector<std::string>& paths) const { return files_.paths() == paths; }
  // Also drains the gate, up to the same moment. Otherwise files could be read later with the
  // gate's older knowledge.
  void set_files(FileSet files);
  void forget_files() { files_ = {}; }
  // Call before reading the files. Returns the oldest request whose answer is new enough; 0: git
  // runs in place.
  RequestId record_files();
  // True if the files changed. Must be called before a scan.
  bool files_changed();
  // True if the reason may be gone, because the files changed or may have changed. Uses the gate.
  bool may_be_over();

  // --- What git says

  // A kept answer, no older than the current question; kPending while git is asked.
  Result<GitOutput> ask(const GitCommand& command, const GitTasks::Subject& subject,
                        GitOutputCache::Digest digest = nullptr) {
    return outputs_.ask(command, subject, git_.since(), digest);
  }
  Result<StatusResult> ask_status(const StatusQuery& query);
  // Something changed, or git's answers are about a stale state.
  void forget();
  void drop_forgotten() { outputs_.drop_forgotten(); }
  // Forces the next question to ask git about everything again.
  void invalidate_outputs() { outputs_hold_ = false; }
  uint64_t runs() const { return outputs_.runs(); }

  // --- The rows for deltas

  // True if git has to be asked for the rows again. `happened`: something changed in the worktree,
  // or in files that git's answer depends on.
  bool are_rows_outdated(bool happened);
  // Starts to ask git for the rows.
  void ask_for_rows(const FindFiles& find);
  // The newest rows, each answer only once; nullopt: nothing new. Until git has answered, rows and
  // refusal stay unchanged. A stale answer is returned if it is newer than the last one returned.
  Result<std::optional<StatusResult>> consume_rows();

  // git's answer to another command, asked again whenever the rows are. Results are those of
  // GitOutputCache::ask().
  Result<GitOutput> ask_with_rows(const GitCommand& command, const GitTasks::Subject& subject) {
    return outputs_.ask(command, subject, followed_.moment);
  }

  // When git will be asked again without a question.
  BackgroundGit::DueTime due() const;
  void add_files(std::vector<std::string>& files) const;

 private:
  Result<std::optional<StatusResult>> refusal() const;

  FileSystem& fs_;
  const HashAlgorithm algorithm_;
  MetadataGate* const gate_;
  BackgroundGit& git_;
  std::string reason_;
  bool is_refuted_ = false;
  FileSet files_;
  // git's answers; whether they stay valid until the worktree or these files change; and why git
  // refused, if it did.
  GitOutputCache outputs_;
  bool outputs_hold_ = false;
  FileSet answer_files_;
  std::optional<Error> refusal_;
  // When git was last asked for the rows, and the last of its answers that was returned.
  BackgroundGit::LastAsked followed_;
  RequestId told_ = 0;
};

}  // namespace resident
