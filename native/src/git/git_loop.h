// GitLoop: the one thread of a process that drives every git which nobody waits for.
//
// So many run at once that the machine has enough to do. One that takes long counts no more among
// them: it waits for something else than a processor, and others do not wait for it; there is a
// bound on all of them together.
//
// Threads: any. The destructor ends what still runs, within about half a second.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "base/unique_fd.h"
#include "git/git_run.h"
#include "git/git_runner.h"

namespace resident {

class GitLoop final : public GitRunner {
 public:
  struct Limits {
    size_t at_once = 8;
    std::chrono::milliseconds young{2'000};  // so long one counts among `at_once`
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

  GitLoop(Limits limits, UniqueFd wake) : limits_(limits), wake_(std::move(wake)) {}
  void loop() EXCLUDES(mutex_);
  // True: nothing is under way, and nothing will be.
  bool drain_orders() EXCLUDES(mutex_);
  void start_next() EXCLUDES(mutex_);
  // True where one ended: there may be nothing left to wait for.
  bool advance_all() EXCLUDES(mutex_);
  void finish(Number number, const Done& done, Result<GitOutput> output) EXCLUDES(mutex_);
  void sleep() EXCLUDES(mutex_);
  void wake();
  size_t young() const;

  const Limits limits_;
  const UniqueFd wake_;

  // The loop's.
  std::map<Number, Running> running_;

  // Held while an answer is given, so that none is after cancel().
  Mutex mutex_;
  Number last_number_ GUARDED_BY(mutex_) = 0;
  std::map<Number, Job> queued_ GUARDED_BY(mutex_);  // in the order in which they were asked
  std::set<Number> under_way_ GUARDED_BY(mutex_);    // started and wanted
  std::set<Number> cancelled_ GUARDED_BY(mutex_);    // started and not wanted, to be told the loop
  bool stopped_ GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace resident
