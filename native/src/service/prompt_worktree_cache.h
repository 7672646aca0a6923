// PromptWorktreeCache: the worktrees that a prompt process keeps itself, because no other process
// keeps them. It keeps them while they are asked about, within a budget of watches.
//
// A worktree with more directories than the whole budget is not kept: each question scans it.
//
// Threads: one owner.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/now.h"
#include "base/result.h"
#include "fs/file_system.h"
#include "prompt/prompt_status.h"

namespace resident {

class PromptWorktreeCache {
 public:
  using Clock = std::chrono::steady_clock;
  struct Options {
    unsigned threads = 1;
    uint64_t watch_budget = 0;  // directories
    bool trusted = false;       // Resident::Options::trusted
    // False: nobody waits for the answer any more. Called once a second.
    std::function<bool()> is_wanted = [] { return true; };
    Now now = steady_now();
  };

  PromptWorktreeCache(FileSystem& fs, Options options);
  ~PromptWorktreeCache();

  // `root`: real path of a worktree. Keeps the worktree from now on. kCancelled if the answer is
  // not wanted any more.
  Result<PromptStatus> ask(const std::string& root, const PromptQuery& query);
  // Another process keeps the worktree now.
  void release(const std::string& root);
  // Releases worktrees that nobody asked about for `idle`.
  void release_idle(Clock::duration idle);

  size_t kept() const { return kept_.size(); }
  // Watched directories of all kept worktrees.
  uint64_t directories() const;

 private:
  class Kept;

  Result<Kept*> keep(const std::string& root);
  void keep_to_budget(const std::string& root);

  FileSystem& fs_;
  const Options options_;
  std::map<std::string, std::unique_ptr<Kept>> kept_;     // by root
  std::map<std::string, Clock::time_point> over_budget_;  // last asked about, by root
};

// One scan; keeps nothing. `trusted` as in Resident::Options::trusted.
Result<PromptStatus> scan_prompt(FileSystem& fs, const std::string& root, const PromptQuery& query,
                                 unsigned threads, bool trusted);

// Limit of watched directories for one prompt: a share of the user's inotify watches.
uint64_t default_watch_budget();

}  // namespace resident
