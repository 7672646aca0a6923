// PromptWorktreeCache: the worktrees that a process of a prompt keeps itself, because nobody else
// does: as many as a budget of watches allows, as long as they are asked about.
//
// A worktree with more directories than the whole budget is not kept: each question looks at the
// disk anew.
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
#include "prompt/prompt_status.h"

namespace resident {

class PromptWorktreeCache {
 public:
  using Clock = std::chrono::steady_clock;
  struct Options {
    unsigned threads = 1;
    uint64_t watch_budget = 0;  // directories
    bool trusted = false;       // Resident::Options::trusted
    // Nobody waits for an answer any more; asked about once a second.
    std::function<bool()> is_wanted = [] { return true; };
    Now now = steady_now();
  };

  explicit PromptWorktreeCache(Options options);
  ~PromptWorktreeCache();

  // `root`: of a worktree, a real path. Keeps it from now on. kCancelled where it is not wanted any
  // more.
  Result<PromptStatus> ask(const std::string& root, const PromptQuery& query);
  // Somebody else keeps it now.
  void release(const std::string& root);
  // What nobody asked about for so long.
  void release_idle(Clock::duration idle);

  size_t kept() const { return kept_.size(); }
  // What is watched for all of them.
  uint64_t directories() const;

 private:
  class Kept;

  Result<Kept*> keep(const std::string& root);
  void keep_to_budget(const std::string& root);

  const Options options_;
  std::map<std::string, std::unique_ptr<Kept>> kept_;     // by root
  std::map<std::string, Clock::time_point> over_budget_;  // by root; when last asked about
};

// One look at the disk, nothing kept. `trusted` as Resident::Options::trusted.
Result<PromptStatus> scan_prompt(const std::string& root, const PromptQuery& query,
                                 unsigned threads, bool trusted);

// So many directories one prompt may watch: a share of the user's inotify watches.
uint64_t default_watch_budget();

}  // namespace resident
