// Resident: keeps one worktree's status correct in memory, and answers any number of clients.
//
// Threads: every public member may be called from any thread and returns at once; so does open().
// The first scan, every update and every Listener call run in turns. Turns run one at a time, on
// the workers of the process (Executor). Each question gives a continuation. It is called once, in
// a turn, in the order of the questions. It must not block or ask again. After the destructor no
// turn runs, and no Listener or continuation is called.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "delta/status_delta.h"
#include "explain/explanation.h"
#include "prompt/prompt_status.h"
#include "service/pause_reason.h"
#include "status/status.h"

namespace resident {

class Resident {
 public:
  // Wishes of the client, which can change at any time (configure()).
  struct Configuration {
    bool operator==(const Configuration&) const = default;

    // Somebody sees the status. Otherwise places without events are polled more slowly.
    bool visible = true;
    // Open files, by path from the root. Their directories are polled first. With many files only
    // the first ones count.
    std::vector<std::string> open_files = {};
    // Deltas have BranchDetails. While off they cost nothing.
    bool details = false;
    // Time of one background sweep, which verifies every file and finds changes without events.
    // Zero or less: no sweep.
    std::chrono::milliseconds sweep = std::chrono::minutes(10);
  };

  struct Options {
    // False: never run a program that the repository's own config names.
    bool trusted = true;
    // Threads for scans; 0: one for each core.
    unsigned threads = 0;
    // Answer `git-resident status --source=resident` on the worktree's socket.
    bool listen = true;
    // Wake up when a file around the worktree changes (HEAD, index, refs, config, ...). Without it,
    // only questions notice such a change.
    bool watch_metadata = false;
    Configuration configuration = {};
    // Longest wait of a question for git or for a program of git. After that the answer is an error
    // that names the awaited program (kPending).
    std::chrono::milliseconds question_limit = std::chrono::seconds(30);
    // Reason to pause the sweep; called in a turn. Empty: asks battery and load of the machine.
    std::function<PauseReason()> pause_reason = {};
  };

  class Listener {
   public:
    virtual ~Listener() = default;
    // Versions follow each other without a gap; the first delta starts from version 0. In a turn.
    virtual void on_delta(StatusDelta delta) = 0;
    // The worktree was removed ("<path>: the worktree was removed"), or there is too little memory
    // for it. All later questions get this error. No call follows. In a turn.
    virtual void on_gone(const std::string& message) = 0;
  };

  struct Identity {
    std::string root;  // real path of the worktree's root
    std::string git_dir;
    std::string common_dir;
  };

  enum class Source : uint8_t { kHead, kIndex, kStage1, kStage2, kStage3 };

  // kCancelled after stop(); then possibly at once, on the caller's thread.
  template <typename T>
  using Done = std::function<void(Result<T>)>;
  using Cancelled = std::shared_ptr<const std::atomic<bool>>;

  struct RescanProgress {
    uint64_t files_seen = 0;
    uint64_t files_expected = 0;
  };
  struct RescanResult {
    uint64_t files_seen = 0;
    double milliseconds = 0;
  };

  // Discovers the worktree that holds `path` (git's rules, by git) and starts to keep it.
  // `listener` must outlive the Resident.
  static Result<std::unique_ptr<Resident>> open(const std::string& path, const Options& options,
                                                Listener& listener);
  virtual ~Resident() = default;

  // Ends running and waiting work. Questions answer kCancelled as soon as their scan or wait can
  // end. After stop() only the destructor may follow, and questions, which are refused.
  virtual void stop() = 0;

  // The root never changes. Another repository can replace the old one.
  virtual Identity identity() const = 0;

  // Exactly the answer of git status now: reads every queued kernel event first. Waits for a first
  // scan that is still running.
  virtual void status(const StatusQuery& query, Done<StatusResult> done) = 0;

  // The answer for a prompt.
  virtual void prompt(const PromptQuery& query, Done<PromptStatus> done) = 0;

  // Scans everything again. `progress` is called in a turn, a few times a second at most.
  // `cancelled` may be set from any thread. The result is then kCancelled, and the old status is
  // kept with its old state.
  virtual void rescan(std::function<void(const RescanProgress&)> progress, Cancelled cancelled,
                      Done<RescanResult> done) = 0;

  // For each path from the root (directories without '/'): is it ignored?
  virtual void ignored(std::vector<std::string> paths, Done<std::vector<bool>> done) = 0;

  // Explains the status of a path (from the root, normalised, without '/' at the end).
  virtual void explain(std::string path, Done<Explanation> done) = 0;

  // A file's content at HEAD or in the index, as stored (no conversion); nullopt: no such file.
  virtual void content(std::string path, Source source, Done<std::optional<std::string>> done) = 0;

  // One of StatusDelta::unwatched_files may have changed: check now. Cheap. Questions check them
  // anyway.
  virtual void metadata_changed() = 0;
  // Replaces the whole Configuration.
  virtual void configure(Configuration configuration) = 0;

  // Sends the whole status to `listener` as one delta with base_version 0, in a turn. The next
  // deltas follow without a gap. For a receiver that lost track.
  virtual void replay() = 0;
};

}  // namespace resident
