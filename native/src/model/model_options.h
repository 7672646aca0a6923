// ModelOptions: the environment and the purpose of a WorktreeModel.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/now.h"
#include "config/config.h"
#include "git/git_runner.h"
#include "pattern/pathspec.h"
#include "repo_state/metadata_gate.h"
#include "status/scan.h"
#include "watch/batch.h"
#include "watch/watcher.h"

namespace resident {

struct ModelOptions {
  Watcher* watcher = nullptr;  // null: every question scans
  // Avoids stat() of files around the worktree. Used on the owner thread only. Requires a watcher.
  // May be null.
  MetadataGate* gate = nullptr;
  // Returns true if anything was mounted or unmounted since the last call. Null: unknown; every
  // scan reads everything.
  std::function<bool()> mounts_changed = {};
  // Returns the mount points below the worktree's root. Null: unknown.
  std::function<std::vector<std::string>()> mounted_below = {};
  Batch::Limits pending = {};  // limits of the pending events
  unsigned threads = 1;
  bool trusted = true;  // false: runs no program that the repository's own config names
  // The only pathspec of all questions; null: any pathspec. Not with a watcher. Files outside the
  // pathspec are not checked.
  std::shared_ptr<const Pathspec> pathspec = nullptr;
  // The untracked files that questions will ask about; ignored files only with kAll.
  UntrackedNeed untracked = UntrackedNeed::kAll;
  bool once = false;               // ScanContext::once
  size_t filters_told_as_git = 0;  // passed to FilterQuestions::tell_as_git(), unless 0
  bool asks_git = true;  // false: an answer that only git can compute is an error (kUnsupported)
  // The result of a Config::load that just ran, if any.
  std::optional<Config> config = {};
  // Runs git in the background; null: git runs in place.
  std::shared_ptr<GitRunner> git = nullptr;
  // Called on any thread when update() has answers to apply or work to continue.
  std::function<void()> git_answered = {};
  Now now = steady_now();
  // True: if the worktree gets a different repository, questions are kPending and moved_to() names
  // it. The owner then makes a model of that repository. False: git answers from then on. Requires
  // a watcher.
  bool owner_follows = false;
  // For scans inside update(): called regularly on the owner thread; true cancels the scan
  // (kCancelled).
  std::function<bool()> tick = {};
};

}  // namespace resident
