// GitLoop: one thread of this process that drives all gits in the background.
//
// It runs enough gits in parallel to keep the machine busy. A git that runs longer than `young` no
// longer counts for this limit. It waits for something else than a processor, so it must not delay
// others. Another limit bounds the total.
//
// Threads: any. The destructor ends all running gits within about half a second.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "git/git_run.h"
#include "git/git_runner.h"
#include "os/event_loop.h"

namespace resident {

class GitLoop final : public GitRunner {
 public:
  struct Limits {
    size_t at_once = 8;
    std::chrono::milliseconds young{2'000};  // a git counts for `at_once` for this time
    size_t all = 256;
  };

  static Result<std::shared_ptr<GitLoop>> of_process();
  static Result<std::shared_ptr<GitLoop>> make(Limits limits);
  ~GitLoop() override;

  Number start(GitCommand command, Done done) override EXCLUDES(mutex_);
  void cancel(Number number) override EXCLUDES(mutex_);

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    GitCommand command;
    Done done;
  };
  struct Running {
    Job job;
    std::unique_ptr<GitRun> git;
    Clock::time_point began;
  };

  GitLoop(Limits limits, Wakeup wake) : limits_(limits), wake_(std::move(wake)) {}
  void loop() EXCLUDES(mutex_);
  // True: stopped, and no git is running.
  bool drain_orders() EXCLUDES(mutex_);
  void start_next() EXCLUDES(mutex_);
  // True: a git has ended, and possibly no descriptor is left to wait for.
  bool advance_all() EXCLUDES(mutex_);
  void finish(Number number, const Done& done, Result<GitOutput> output) EXCLUDES(mutex_);
  void sleep() EXCLUDES(mutex_);
  size_t young() const;

  const Limits limits_;
  const Wakeup wake_;

  // Used only by the loop's thread.
  std::map<Number, Running> running_;

  // Held during `done` calls, so that none happens after cancel().
  Mutex mutex_;
  Number last_number_ GUARDED_BY(mutex_) = 0;
  std::map<Number, Job> queued_ GUARDED_BY(mutex_);  // in order of request
  std::set<Number> under_way_ GUARDED_BY(mutex_);    // started, still wanted
  std::set<Number> cancelled_ GUARDED_BY(mutex_);    // started, unwanted, not yet seen by the loop
  bool stopped_ GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace resident
