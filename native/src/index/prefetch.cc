#include "index/prefetch.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace resident {

namespace {

// Fetches only the beginning. The hardware prefetcher fetches the rest of a large directory.
void prefetch(const void* data, size_t bytes) {
  constexpr size_t kLine = 64;
  constexpr size_t kMax = 2048;
  const auto* at = static_cast<const char*>(data);
  for (size_t i = 0; i < std::min(bytes, kMax); i += kLine) __builtin_prefetch(at + i);
}

}  // namespace

void prefetch_entries(const Index& index, uint32_t directory) {
  const std::span<const IndexEntry> range = index.entries_of(directory);
  prefetch(range.data(), range.size_bytes());
}

void prefetch_names(const Index& index, uint32_t directory) {
  const std::span<const IndexEntry> range = index.entries_of(directory);
  if (range.empty()) return;
  const std::string_view first = index.name(range.front());
  prefetch(first.data(), static_cast<size_t>(index.name(range.back()).data() - first.data()));
}

}  // namespace resident
