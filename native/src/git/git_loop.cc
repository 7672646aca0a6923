#include "git/git_loop.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/process_wide.h"
#include "os/threads.h"

namespace resident {

Result<GitOutput> run_git(const GitCommand& command) {
  GitRunOptions options = command.options;
  if (command.input) options.input = *command.input;
  return run_git(command.arguments, options);
}

Result<std::shared_ptr<GitLoop>> GitLoop::of_process() {
  return process_wide<GitLoop>([] { return make(Limits{}); });
}

Result<std::shared_ptr<GitLoop>> GitLoop::make(Limits limits) {
  RESIDENT_TRY(Wakeup wake, Wakeup::make());
  std::shared_ptr<GitLoop> made(new GitLoop(limits, std::move(wake)));
  RESIDENT_TRY(made->thread_, start_thread([loop = made.get()] { loop->loop(); }));
  return made;
}

GitLoop::~GitLoop() {
  {
    MutexLock lock(mutex_);
    stopped_ = true;
    queued_.clear();
    cancelled_.merge(under_way_);
    under_way_.clear();
  }
  wake_.wake();
  if (thread_.joinable()) thread_.join();
}

GitRunner::Number GitLoop::start(GitCommand command, Done done) {
  Number number = 0;
  {
    MutexLock lock(mutex_);
    number = ++last_number_;
    queued_.emplace(number, Job{std::move(command), std::move(done)});
  }
  wake_.wake();
  return number;
}

void GitLoop::cancel(Number number) {
  {
    MutexLock lock(mutex_);
    queued_.erase(number);
    if (under_way_.erase(number) == 0) return;
    cancelled_.insert(number);
  }
  wake_.wake();
}

bool GitLoop::drain_orders() {
  std::set<Number> cancelled;
  bool stopped = false;
  {
    MutexLock lock(mutex_);
    cancelled.swap(cancelled_);
    stopped = stopped_;
  }
  for (const Number number : cancelled) {
    if (const auto found = running_.find(number); found != running_.end())
      found->second.git->stop();
  }
  return stopped && running_.empty();
}

size_t GitLoop::young() const {
  const auto since = Clock::now() - limits_.young;
  return static_cast<size_t>(std::count_if(running_.begin(), running_.end(), [&](const auto& each) {
    return each.second.began > since;
  }));
}

void GitLoop::start_next() {
  while (young() < limits_.at_once && running_.size() < limits_.all) {
    Number number = 0;
    Job job;
    {
      MutexLock lock(mutex_);
      if (queued_.empty()) return;
      auto next = queued_.extract(queued_.begin());
      number = next.key();
      job = std::move(next.mapped());
      under_way_.insert(number);
    }
    // Map nodes do not move, so the run's reference to the input stays valid.
    Running& running = running_[number];
    running.job = std::move(job);
    running.began = Clock::now();
    GitRunOptions options = running.job.command.options;
    if (running.job.command.input) options.input = *running.job.command.input;
    Result<std::unique_ptr<GitRun>> git =
        GitRun::start(running.job.command.arguments, options, /*is_stoppable=*/true);
    if (git.ok()) {
      running.git = std::move(git).value();
      continue;
    }
    const Done done = std::move(running.job.done);
    running_.erase(number);
    finish(number, done, std::move(git).error());
  }
}

void GitLoop::finish(Number number, const Done& done, Result<GitOutput> output) {
  MutexLock lock(mutex_);
  cancelled_.erase(number);
  if (under_way_.erase(number) > 0) done(std::move(output));
}

bool GitLoop::advance_all() {
  const size_t before = running_.size();
  for (auto at = running_.begin(); at != running_.end();) {
    if (!at->second.git->advance()) {
      ++at;
      continue;
    }
    finish(at->first, at->second.job.done, at->second.git->result());
    at = running_.erase(at);
  }
  return running_.size() < before;
}

void GitLoop::sleep() {
  std::vector<Awaited> descriptors{{wake_.fd(), kReadable}};
  int left = -1;
  const auto at_most = [&left](int milliseconds) {
    if (milliseconds >= 0 && (left < 0 || milliseconds < left)) left = milliseconds;
  };
  const auto now = Clock::now();
  for (const auto& [number, running] : running_) {
    running.git->append_descriptors(descriptors);
    at_most(running.git->milliseconds_left());
    // Wake when this git stops counting for `at_once`: another one may start then.
    const auto ages = running.began + limits_.young - now;
    if (ages > Clock::duration::zero()) {
      at_most(static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(ages).count()));
    }
  }
  (void)wait_for(descriptors, left);
  if (descriptors[0].ready != 0) wake_.clear();
}

void GitLoop::loop() {
  while (!drain_orders()) {
    const bool has_ended = advance_all();
    start_next();
    if (!has_ended) sleep();
  }
}

}  // namespace resident
