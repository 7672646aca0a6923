// FakeGitRunner: records requests to git, and answers when the test says so.
//
// Threads: one.
#pragma once

#include <algorithm>
#include <functional>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "git/git_runner.h"

namespace resident::testing {

class FakeGitRunner final : public GitRunner {
 public:
  Number start(GitCommand command, Done done) override {
    waiting_.push_back({++last_, std::move(command), std::move(done)});
    return last_;
  }
  void cancel(Number number) override {
    cancelled_ += std::erase_if(waiting_, [&](const Job& job) { return job.number == number; });
  }

  // Number of all requests so far.
  size_t started() const { return last_; }
  // The waiting requests.
  size_t waiting() const { return waiting_.size(); }
  const GitCommand& command(size_t i) const { return std::next(waiting_.begin(), i)->command; }
  size_t cancelled() const { return cancelled_; }

  // Answers the first request: with this output, or by running git now.
  void answer(Result<GitOutput> output) {
    Job job = take_first();
    job.done(std::move(output));
  }
  void answer() {
    Job job = take_first();
    job.done(run_git(job.command));
  }
  // Runs git for all waiting requests whose arguments contain `word`. Returns their number.
  size_t answer_all(const std::string& word = "") {
    std::list<Job> jobs;
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      const auto next = std::next(at);
      const auto& words = at->command.arguments;
      if (word.empty() || std::find(words.begin(), words.end(), word) != words.end()) {
        jobs.splice(jobs.end(), waiting_, at);
      }
      at = next;
    }
    for (Job& job : jobs) job.done(run_git(job.command));
    return jobs.size();
  }

 private:
  struct Job {
    Number number;
    GitCommand command;
    Done done;
  };

  Job take_first() {
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    return job;
  }

  Number last_ = 0;
  size_t cancelled_ = 0;
  std::list<Job> waiting_;
};

}  // namespace resident::testing
