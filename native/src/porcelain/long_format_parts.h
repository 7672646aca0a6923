// The parts of the long format. Each part has a function and a source file.
#pragma once

#include <chrono>

#include "porcelain/long_format_writer.h"
#include "status/status.h"

namespace resident {

// Facts that the sentences of several parts depend on.
struct LongSummary {
  bool initial = false;
  bool has_conflicts = false;
  bool worktree_differs = false;
  bool committable = false;
};

// Prints "On branch …" and the comparison with the upstream.
void print_branch(const StatusResult& status, const PrintOptions& options, LongFormatWriter& out);

// git reports an operation that takes longer.
inline constexpr std::chrono::milliseconds kSlow{2000};
// printf prints this for a null name.
inline constexpr const char* kNoName = "(null)";

// Prints the operation in progress and the sparse checkout.
void print_operation(const StatusResult& status, const LongSummary& summary, LongFormatWriter& out);

// Print the lists of paths.
void print_tracked(const StatusResult& status, const LongSummary& summary, LongFormatWriter& out);
void print_others(const StatusResult& status, LongFormatWriter& out);

}  // namespace resident
