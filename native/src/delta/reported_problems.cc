#include "delta/reported_problems.h"

#include <utility>

namespace resident {

std::optional<std::string> ReportedProblems::meet(std::string problem) {
  if (const auto known = met_.find(problem); known != met_.end()) {
    known->second = rounds_;
    return std::nullopt;
  }
  if (met_.size() < limit_) {
    met_.emplace(problem, rounds_);
    return problem;
  }
  if (std::exchange(reported_more_, true)) return std::nullopt;
  return "more than " + std::to_string(limit_) +
         " problems: further problems are not reported for now";
}

void ReportedProblems::record_rounds(uint64_t rounds) {
  if (std::exchange(rounds_, rounds) == rounds) return;
  // Problems of the round that just ended may still exist: keep them.
  std::erase_if(met_, [rounds](const auto& met) { return met.second + 1 < rounds; });
  if (met_.size() < limit_) reported_more_ = false;
}

}  // namespace resident
