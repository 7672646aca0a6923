// GitDelegate: git answers for the whole worktree, for a reason; what it said is kept until
// something changes, and the rows that follow are told.
//
// Invariant: an answer that is handed out was asked for after the last change that was taken in
// before the question, or is of no question and the best there is.
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
  // The files around the worktree that decide what git says; nullopt where that is more than can be
  // looked at.
  using FindFiles = std::function<std::optional<std::vector<std::string>>()>;

  // All outlive this; `gate` may be null.
  GitDelegate(FileSystem& fs, HashAlgorithm algorithm, MetadataGate* gate, BackgroundGit& git)
      : fs_(fs), algorithm_(algorithm), gate_(gate), git_(git), outputs_(git.tasks()) {}

  bool is_active() const { return !reason_.empty(); }
  // Why; "": it is not active.
  const std::string& reason() const { return reason_; }
  void begin(std::string reason) {
    reason_ = std::move(reason);
    is_refuted_ = false;
  }
  // A scan found that the reason holds no more, and failed by something else: until one succeeds,
  // or finds a reason, what git says is not the answer.
  void refute() { is_refuted_ = true; }
  bool is_refuted() const { return is_refuted_; }
  void end();

  // --- The files that decide whether git has to answer

  bool has_files(const std::vector<std::string>& paths) const { return files_.paths() == paths; }
  // What the gate knows of changes is as of then too: else what was read by it could be of before.
  void set_files(FileSet files);
  void forget_files() { files_ = {}; }
  // As they are before anything of them is read. Of which moment what git says of them has to be;
  // 0: it runs in place.
  RequestId record_files();
  // Whether they are others, as it has to be known before a scan.
  bool files_changed();
  // Whether it may be over, because they are others or may be; gated.
  bool may_be_over();

  // --- What git says

  // Kept, and as of the question that is being answered or later; kPending while git is asked.
  Result<GitOutput> ask(const GitCommand& command, const GitTasks::Subject& subject,
                        GitOutputCache::Digest digest = nullptr) {
    return outputs_.ask(command, subject, git_.since(), digest);
  }
  Result<StatusResult> ask_status(const StatusQuery& query);
  // Something changed, or what git said was said of what is no more.
  void forget();
  void drop_forgotten() { outputs_.drop_forgotten(); }
  // Everything is to be asked again with the next question.
  void invalidate_outputs() { outputs_hold_ = false; }
  uint64_t runs() const { return outputs_.runs(); }

  // --- The rows that are told

  // Whether git is to be asked for them again: `happened` in the worktree, or to these files.
  bool are_rows_outdated(bool happened);
  // Has git asked for them.
  void ask_for_rows(const FindFiles& find);
  // What it says by now, each answer once; nothing where what was told holds. Until git has
  // answered, rows and refusal stay as they were; an answer that is out of date already is better
  // than what was told before.
  Result<std::optional<StatusResult>> consume_rows();

  // What git says to another command, asked anew whenever the rows are. As GitOutputCache::ask().
  Result<GitOutput> ask_with_rows(const GitCommand& command, const GitTasks::Subject& subject) {
    return outputs_.ask(command, subject, followed_.moment);
  }

  // When it would be asked again unasked.
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
  // What git said; whether that holds until something happens in the worktree or to these files;
  // and why it refused, if it did.
  GitOutputCache outputs_;
  bool outputs_hold_ = false;
  FileSet answer_files_;
  std::optional<Error> refusal_;
  // When git was last asked for the rows, and what was told of its answers.
  BackgroundGit::LastAsked followed_;
  RequestId told_ = 0;
};

}  // namespace resident
