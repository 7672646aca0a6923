// The parts of the long format, one function and one source file each.
#pragma once

#include <chrono>

#include "porcelain/long_format_writer.h"
#include "status/status.h"

namespace resident {

// What the sentences of several parts depend on.
struct LongSummary {
  bool initial = false;
  bool has_conflicts = false;
  bool worktree_differs = false;
  bool committable = false;
};

// "On branch …", and how it stands to its upstream.
void print_branch(const StatusResult& status, const PrintOptions& options, LongFormatWriter& out);

// From here on git tells what took so long.
inline constexpr std::chrono::milliseconds kSlow{2000};
// What printf makes of a name that is not there.
inline constexpr const char* kNoName = "(null)";

// What git is in the middle of, and the sparse checkout.
void print_operation(const StatusResult& status, const LongSummary& summary, LongFormatWriter& out);

// The lists of paths.
void print_tracked(const StatusResult& status, const LongSummary& summary, LongFormatWriter& out);
void print_others(const StatusResult& status, LongFormatWriter& out);

}  // namespace resident
