// The difference between two versions of a worktree's status, with the state of the model.
//
// Deltas describe the output of `git status -uall`, with submodules and renames as configured. They
// do not contain ignored files.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "history/branch_details.h"
#include "status/status.h"
#include "watch/watch_shortage.h"

namespace resident {

// The operation that git has in progress.
enum class Operation : uint8_t { kNone, kMerge, kRebase, kCherryPick, kRevert, kBisect, kAm };

// The sweep checks everything again in the background. It finds changes without an event: stores
// through mmap, writes through another hard link, writes by another host.
struct SweepState {
  enum class Pace : uint8_t {
    kOff,
    kRunning,
    kBattery,  // paused while the machine runs on battery
    kLoad,     // paused while the machine is busy
  };
  Pace pace = Pace::kOff;
  std::chrono::seconds within{0};  // longest duration of a round without pauses
  // When the last full check ended, in seconds since 1970; 0: never.
  int64_t verified_at = 0;
  unsigned percent = 0;  // progress of the current round, in steps
  friend bool operator==(const SweepState&, const SweepState&) = default;
};

struct ModelState {
  enum class Kind : uint8_t {
    kScanning,   // the first scan runs; the status is incomplete
    kWatching,   // the status is right; events keep it right
    kVerifying,  // was right; everything is being checked again because of `message`
    kPolling,    // like kWatching, but watches do not report all changes in `polled` directories
    kDelegated,  // git answers, because of `message`
    kFailed,     // no answer is possible, because of `message`
  };
  Kind kind = Kind::kScanning;
  uint64_t files_seen = 0;      // kScanning, kVerifying
  uint64_t files_expected = 0;  // kScanning, kVerifying
  uint64_t directories = 0;     // number of watched directories
  uint64_t polled = 0;
  // kPolling: the limit to raise. nullopt: the limits suffice. Then the polled directories are on a
  // shared file system, or are reachable by several paths.
  std::optional<WatchShortage> shortage;
  std::string message;
  // A question to git, or to a program that git runs, which has been unanswered for some time. The
  // rows that depend on the answer stay unchanged.
  struct Waiting {
    std::string name;      // "filter lfs", "git status of sub"
    uint64_t files = 0;    // number of files it is about; 0: not about files
    int64_t since_ms = 0;  // in ms since 1970
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };
  std::optional<Waiting> waiting;
  SweepState sweep;
  // Number of files with several hard links that exceed the per-question limit. Only the sweep
  // finds changes in them through another link.
  uint64_t linked_beyond = 0;
  friend bool operator==(const ModelState&, const ModelState&) = default;
};

struct StatusDelta {
  uint64_t base_version = 0;
  uint64_t version = 0;
  // The place of the repository. Each delta from version 0 has it: another repository can have
  // replaced the last one.
  struct Place {
    std::string git_dir;
    std::string common_dir;
    friend bool operator==(const Place&, const Place&) = default;
  };
  std::optional<Place> place;
  // Entries that are new or changed.
  std::vector<ChangedEntry> changed;
  std::vector<UnmergedEntry> unmerged;
  std::vector<std::string> untracked;
  // Paths whose changed or unmerged entry is gone. A path can have such an entry and an untracked
  // entry at the same time (after `git rm --cached`).
  std::vector<std::string> removed;
  // Paths whose untracked entry is gone.
  std::vector<std::string> removed_untracked;
  // Present only if changed since the last delta that had it.
  std::optional<BranchStatus> branch;
  std::optional<Operation> operation;
  // Present only if requested and changed. Inner nullopt: no longer requested.
  std::optional<std::optional<BranchDetails>> details;
  std::optional<std::string> operation_step;  // "2/5" of a rebase or am; empty: git reports no step
  std::optional<ModelState> state;
  // Files and directories that cannot be read, with the reason. Only those new since the last
  // delta. For the log.
  std::vector<std::string> problems;
  // Files around the worktree, existing or not, that our watches do not cover: behind symbolic
  // links, or on file systems with other writers. Present only if changed. Each delta from version
  // 0 has it.
  std::optional<std::vector<std::string>> unwatched_files;
  bool ignore_rules_changed = false;  // cached answers of ignored() are stale
  bool content_changed = false;       // contents of HEAD or of the index changed
  // When the earliest event of this delta was read from the kernel.
  std::chrono::steady_clock::time_point since;
};

}  // namespace resident
