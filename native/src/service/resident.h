// Resident: one worktree kept in memory and right, for any number of askers.
//
// Threads: open() returns at once; the first scan, every update and every Listener call happen in
// turns, one at a time, on the workers of the process (Executor). Every public member may be called
// from any thread and returns at once. Whoever asks gives a continuation; it is called once, in a
// turn, in the order of the questions, and must not block or ask again. No turn is under way, and
// no Listener or continuation is called, after the destructor.
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
  struct Options {
    // False: never run a program that the repository's own config names.
    bool trusted = true;
    // Threads for scans; 0: as many as there are cores.
    unsigned threads = 0;
    // Answer `git-resident status --source=resident` on the worktree's socket.
    bool listen = true;
    // Wake up for changes of the files around the worktree (HEAD, index, refs, config, ...) by
    // itself. Questions see them either way.
    bool watch_metadata = false;
    // In this time everything is looked at again in the background, for what no event tells; zero
    // or less: never.
    std::chrono::milliseconds sweep = std::chrono::minutes(10);
    // So long a question waits for what git, or a program that it runs, has to say; then the answer
    // is an error that names what is waited for (kPending).
    std::chrono::milliseconds question_limit = std::chrono::seconds(30);
    // Whether the machine has something better to do, which pauses that; empty: what its own
    // battery and load say. In a turn.
    std::function<PauseReason()> pause_reason = {};
  };

  class Listener {
   public:
    virtual ~Listener() = default;
    // Versions follow each other without a gap; the first delta starts from version 0. In a turn.
    virtual void on_delta(StatusDelta delta) = 0;
    // The worktree went away ("<path>: the worktree was removed"), or cannot be kept for want of
    // memory; questions are answered with that from then on. Nothing follows. In a turn.
    virtual void on_gone(const std::string& message) = 0;
  };

  struct Identity {
    std::string root;  // real path of the worktree's root
    std::string git_dir;
    std::string common_dir;
  };

  enum class Source : uint8_t { kHead, kIndex, kStage1, kStage2, kStage3 };

  // kCancelled after stop(), then perhaps at once, by whoever asks.
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

  // Ends what is under way and what waits: questions answer kCancelled as soon as a scan or a wait
  // inside them can end. Only the destructor may follow, and questions, which are refused.
  virtual void stop() = 0;

  // The root stays; another repository can take the place of the one before.
  virtual Identity identity() const = 0;

  // Exactly what git status would say now: everything that the kernel has queued is taken in first.
  // Waits for a first scan that is still under way.
  virtual void status(const StatusQuery& query, Done<StatusResult> done) = 0;

  // What a prompt shows.
  virtual void prompt(const PromptQuery& query, Done<PromptStatus> done) = 0;

  // Looks at everything again. `progress` is called in a turn, a few times a second at most.
  // `cancelled` may be set from any thread: the result is then kCancelled and the old answer
  // stands, marked as before.
  virtual void rescan(std::function<void(const RescanProgress&)> progress, Cancelled cancelled,
                      Done<RescanResult> done) = 0;

  // For each path from the root (directories without '/'): is it ignored?
  virtual void ignored(std::vector<std::string> paths, Done<std::vector<bool>> done) = 0;

  // Why a path (from the root, normalised, without '/' at the end) stands in the status as it does.
  virtual void explain(std::string path, Done<Explanation> done) = 0;

  // A file's content at HEAD or in the index, as stored (no conversion); nullopt where there is
  // none.
  virtual void content(std::string path, Source source, Done<std::optional<std::string>> done) = 0;

  // The files around the worktree, existing or not, of whose change no watch of ours tells: behind
  // symbolic links, on file systems that others write to. The set can change with every delta.
  virtual std::vector<std::string> unwatched_files() = 0;
  // One of them may have changed: look now. Cheap; questions look anyway.
  virtual void metadata_changed() = 0;
  // Where no event tells what happens, it is looked for: where the open files are first, and
  // seldom while nobody looks. Of files that are many the first count.
  struct Attention {
    bool seen = true;               // somebody looks at what is told
    std::vector<std::string> open;  // by path from the root
  };
  virtual void attend(Attention attention) = 0;
  // From now on deltas tell BranchDetails, or no more; nothing is done for it otherwise.
  virtual void want_details(bool wanted) = 0;
  // Another Options::sweep from now on.
  virtual void set_sweep(std::chrono::milliseconds within) = 0;

  // Replays everything to `listener` from version 0 as one delta whose base_version is 0, in a
  // turn, without a gap to the deltas that follow. For a receiver that lost track.
  virtual void replay() = 0;
};

}  // namespace resident
