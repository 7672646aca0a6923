// ReportedProblems: remembers the problems that were reported. A lasting problem is reported once,
// and again after it was gone.
//
// A round is a period in which everything is checked. A problem that did not occur in a whole round
// is gone. One round keeps a limited number of problems. Exceeding the limit is itself reported
// once.
//
// Threads: one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace resident {

class ReportedProblems {
 public:
  explicit ReportedProblems(size_t limit = 1000) : limit_(limit) {}

  // Records a problem. Returns the text to report: the problem, or a note that there are more;
  // nullopt: nothing.
  std::optional<std::string> meet(std::string problem);
  // `rounds`: the number of finished rounds.
  void record_rounds(uint64_t rounds);

 private:
  const size_t limit_;
  uint64_t rounds_ = 0;
  std::map<std::string, uint64_t>
      met_;  // number of rounds that were finished when it last occurred
  bool reported_more_ = false;
};

}  // namespace resident
