// The limits that gitstatusd's options set for the counts of an answer.
#pragma once

#include <cstdint>
#include <limits>

#include "prompt/prompt_status.h"

namespace resident {

struct PromptLimits {
  static constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();

  uint64_t staged = 1;
  uint64_t unstaged = 1;
  uint64_t conflicted = 1;
  uint64_t untracked = 1;
  // With more index entries than this, unstaged and untracked are 0.
  uint64_t index_size = kNone;
  uint64_t summary_bytes = 256;
  friend bool operator==(const PromptLimits&, const PromptLimits&) = default;
};

// Cuts a UTF-8 summary only between characters.
void apply(const PromptLimits& limits, PromptStatus& status);

}  // namespace resident
