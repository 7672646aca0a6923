#include "index/entry_bitmap.h"

#include <algorithm>
#include <bit>

#include "base/ewah.h"

namespace resident {
namespace {

// Of each run of set bits [first, end) `set` is told. False: the bitmap is none, or goes beyond
// `size`.
template <typename Set>
bool walk_entry_bitmap(ByteReader& reader, size_t size, const Set& set) {
  const auto words = read_ewah_words(reader);
  if (!words) return false;
  const uint64_t whole_words = size / kEwahWordBits;
  uint64_t at = 0;  // in words
  EwahRun run;
  for (EwahRuns runs(*words); runs.next(run);) {
    const uint64_t run_end = at + run.words;
    if (run.value) {
      if (run_end > whole_words) return false;
      set(at * kEwahWordBits, run_end * kEwahWordBits);
    }
    at = run_end;
    if (!run.is_whole()) return false;
    for (ByteReader literals(run.literals); const auto literal = literals.be64(); ++at) {
      // No bit may be set behind the end; far behind it the number of one would overflow.
      if (*literal != 0 && at > whole_words) return false;
      for (uint64_t left = *literal; left != 0; left &= left - 1) {
        const uint64_t bit = at * kEwahWordBits + static_cast<uint64_t>(std::countr_zero(left));
        if (bit >= size) return false;
        set(bit, bit + 1);
      }
    }
  }
  return true;
}

}  // namespace

std::optional<std::vector<bool>> read_entry_bitmap(ByteReader& reader, size_t size) {
  std::vector<bool> bits(size);
  const bool whole = walk_entry_bitmap(reader, size, [&](uint64_t first, uint64_t end) {
    std::fill(bits.begin() + static_cast<ptrdiff_t>(first),
              bits.begin() + static_cast<ptrdiff_t>(end), true);
  });
  if (!whole) return std::nullopt;
  return bits;
}

std::optional<std::vector<uint32_t>> read_entry_positions(ByteReader& reader, uint32_t size,
                                                          size_t limit) {
  std::vector<uint32_t> positions;
  const bool whole = walk_entry_bitmap(reader, size, [&](uint64_t first, uint64_t end) {
    for (uint64_t bit = first; bit < end && positions.size() <= limit; ++bit) {
      positions.push_back(static_cast<uint32_t>(bit));
    }
  });
  if (!whole) return std::nullopt;
  return positions;
}

}  // namespace resident
