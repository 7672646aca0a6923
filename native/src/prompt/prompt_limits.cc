#include "prompt/prompt_limits.h"

#include <algorithm>

namespace resident {

namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// Returns at most `limit` bytes.
size_t cut_at(const std::string& text, size_t limit, bool is_utf8) {
  constexpr size_t kLongestCharacter = 4;
  if (!is_utf8) return limit;
  size_t end = limit;
  while (end > 0 && limit - end < kLongestCharacter && continues_character(text[end])) --end;
  // If no character begins nearby, the text is not UTF-8.
  return continues_character(text[end]) ? limit : end;
}

}  // namespace

void apply(const PromptLimits& limits, PromptStatus& status) {
  const bool is_large = status.index_size > limits.index_size;
  status.staged = std::min(status.staged, limits.staged);
  status.unstaged = is_large ? 0 : std::min(status.unstaged, limits.unstaged);
  status.conflicted = std::min(status.conflicted, limits.conflicted);
  status.untracked = is_large ? 0 : std::min(status.untracked, limits.untracked);
  status.staged_new = std::min(status.staged_new, status.staged);
  status.staged_deleted = std::min(status.staged_deleted, status.staged);
  status.unstaged_deleted = std::min(status.unstaged_deleted, status.unstaged);
  if (status.summary.size() > limits.summary_bytes) {
    status.summary.resize(cut_at(status.summary, limits.summary_bytes, status.encoding.empty()));
  }
}

}  // namespace resident
