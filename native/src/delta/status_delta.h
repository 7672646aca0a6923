// What changed between two versions of a worktree's status, and how the model stands.
//
// The status that deltas describe is the one of `git status -uall` with submodules and renames as
// configured; ignored files are not part of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "history/branch_details.h"
#include "status/status.h"

namespace resident {

// What git is in the middle of.
enum class Operation : uint8_t { kNone, kMerge, kRebase, kCherryPick, kRevert, kBisect, kAm };

// The sweep: what no event tells (stores through mmap, writes under another name of a file or by
// another host) is found by looking at everything again in the background.
struct SweepState {
  enum class Pace : uint8_t {
    kOff,
    kRunning,
    kBattery,  // paused while the machine runs on its battery
    kLoad,     // paused while the machine is busy
  };
  Pace pace = Pace::kOff;
  std::chrono::seconds within{0};  // so long takes a round at most, unless it is paused
  // When everything was last known to have been looked at, in seconds since 1970; 0: never.
  int64_t verified_at = 0;
  unsigned percent = 0;  // of the round under way, in steps
  friend bool operator==(const SweepState&, const SweepState&) = default;
};

struct ModelState {
  enum class Kind : uint8_t {
    kScanning,   // the first scan runs; the status is incomplete
    kWatching,   // right, and kept right by events
    kVerifying,  // was right; everything is being looked at again, `message` says why
    kPolling,    // as kWatching, but watches do not tell all of `polled` directories
    kDelegated,  // git answers, because of `message`
    kFailed,     // no answer, because of `message`
  };
  Kind kind = Kind::kScanning;
  uint64_t files_seen = 0;      // kScanning, kVerifying
  uint64_t files_expected = 0;  // kScanning, kVerifying
  uint64_t directories = 0;     // watched
  uint64_t polled = 0;
  // kPolling: the fs.inotify.max_user_watches that would do; 0: there are enough, and what is
  // polled is on a file system that others write to, or is reached by more than one path.
  uint64_t needed = 0;
  std::string message;
  // What git, or a program that it runs, has been asked for some time and has not said: the rows
  // that depend on it are as they were.
  struct Waiting {
    std::string name;      // "filter lfs", "git status of sub"
    uint64_t files = 0;    // that it is asked about; 0: something else
    int64_t since_ms = 0;  // since 1970
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };
  std::optional<Waiting> waiting;
  SweepState sweep;
  // Files with several links that are too many to be looked at with every question: the sweep finds
  // what changes in them under another name.
  uint64_t linked_beyond = 0;
  friend bool operator==(const ModelState&, const ModelState&) = default;
};

struct StatusDelta {
  uint64_t base_version = 0;
  uint64_t version = 0;
  // Where the repository is. With each delta from version 0: another repository can have taken the
  // place of the one before.
  struct Place {
    std::string git_dir;
    std::string common_dir;
    friend bool operator==(const Place&, const Place&) = default;
  };
  std::optional<Place> place;
  // Entries that are new or different.
  std::vector<ChangedEntry> changed;
  std::vector<UnmergedEntry> unmerged;
  std::vector<std::string> untracked;
  // Paths whose changed or unmerged entry is gone. A path can have such an entry and an untracked
  // one at once (after `git rm --cached`).
  std::vector<std::string> removed;
  // Paths whose untracked entry is gone.
  std::vector<std::string> removed_untracked;
  // Present when different from the last one told.
  std::optional<BranchStatus> branch;
  std::optional<Operation> operation;
  // And where they are wanted; empty inside: no more.
  std::optional<std::optional<BranchDetails>> details;
  std::optional<std::string> operation_step;  // "2/5" of a rebase or am; empty: git tells none
  std::optional<ModelState> state;
  // New since the last delta: files and directories that cannot be read, with the reason. For the
  // log.
  std::vector<std::string> problems;
  bool ignore_rules_changed = false;  // answers of ignored() are void
  bool content_changed = false;       // HEAD's or the index's contents changed
  // When the earliest event behind this delta was read from the kernel.
  std::chrono::steady_clock::time_point since;
};

}  // namespace resident
