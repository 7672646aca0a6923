// ToldProblems: which problems were told, so that one that stays is told once, and one that comes
// again is told again.
//
// A round is a time in which everything is looked at. A problem that was not met in a whole round
// is gone. No more than a limit are known in one round; that there are more is told once.
//
// Threads: one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace resident {

class ToldProblems {
 public:
  explicit ToldProblems(size_t limit = 1000) : limit_(limit) {}

  // What to tell of a problem that was met: itself, or that there are more; nullopt: nothing.
  std::optional<std::string> meet(std::string problem);
  // As many rounds have ended as `rounds` says.
  void record_rounds(uint64_t rounds);

 private:
  const size_t limit_;
  uint64_t rounds_ = 0;
  std::map<std::string, uint64_t> met_;  // in which round, counted by those that had ended
  bool told_of_more_ = false;
};

}  // namespace resident
