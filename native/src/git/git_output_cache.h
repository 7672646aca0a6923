// GitOutputCache: what git said, kept until the owner knows of a change.
//
// The owner calls forget() before the first question after a change, so that git runs once for each
// question and change and never for a question that was asked before. What is kept is bounded in
// bytes; beyond the bound the oldest answers are asked again.
//
// Threads: one owner.
#pragma once

#include <list>
#include <string>
#include <vector>

#include "git/git_command.h"

namespace resident {

class GitOutputCache {
 public:
  // Bytes of keys and outputs together.
  explicit GitOutputCache(size_t byte_limit = size_t{64} << 20) : byte_limit_(byte_limit) {}

  // run_git(), or its output of the last time with these arguments, this directory, input and
  // environment. Any exit code is kept, an Error is not.
  Result<GitOutput> run(const std::vector<std::string>& arguments, const GitRunOptions& options);
  void forget();
  // How often git was run.
  uint64_t runs() const { return runs_; }

 private:
  struct Kept {
    std::string question;
    GitOutput output;
  };
  static size_t size_of(const Kept& kept);

  const size_t byte_limit_;
  size_t bytes_ = 0;
  uint64_t runs_ = 0;
  std::list<Kept> kept_;  // the oldest first
};

}  // namespace resident
