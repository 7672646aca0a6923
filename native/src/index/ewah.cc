#include "index/ewah.h"

#include <algorithm>
#include <bit>

namespace resident {
namespace {

constexpr size_t kWordBits = 64;

struct Marker {
  bool run_value;
  uint64_t run_words;
  uint64_t literal_words;
};

Marker read_marker(uint64_t word) {
  return {(word & 1) != 0, word >> 1 & 0xffffffff, word >> 33};
}

// Of each run of set bits [first, end) `set` is told. False: the bitmap is none, or goes beyond
// `size`.
template <typename Set>
bool walk_ewah(ByteReader& reader, size_t size, const Set& set) {
  auto bit_count = reader.be32();
  auto word_count = reader.be32();
  if (!bit_count || !word_count) return false;
  auto words = reader.take(size_t{*word_count} * sizeof(uint64_t));
  if (!words || !reader.be32()) return false;

  ByteReader rest(*words);
  uint64_t position = 0;  // cannot overflow: 2^32 words announce 2^32 words of 64 bits each at most
  while (auto word = rest.be64()) {
    const Marker marker = read_marker(*word);
    const uint64_t run_end = position + marker.run_words * kWordBits;
    if (marker.run_value) {
      if (run_end > size) return false;
      set(position, run_end);
    }
    position = run_end;
    for (uint64_t i = 0; i < marker.literal_words; ++i, position += kWordBits) {
      auto literal = rest.be64();
      if (!literal) return false;
      for (uint64_t left = *literal; left != 0; left &= left - 1) {
        const uint64_t bit = position + static_cast<uint64_t>(std::countr_zero(left));
        if (bit >= size) return false;
        set(bit, bit + 1);
      }
    }
  }
  return true;
}

}  // namespace

std::optional<std::vector<bool>> read_ewah_bitmap(ByteReader& reader, size_t size) {
  std::vector<bool> bits(size);
  const bool whole = walk_ewah(reader, size, [&](uint64_t first, uint64_t end) {
    std::fill(bits.begin() + static_cast<ptrdiff_t>(first),
              bits.begin() + static_cast<ptrdiff_t>(end), true);
  });
  if (!whole) return std::nullopt;
  return bits;
}

std::optional<std::vector<uint32_t>> read_ewah_positions(ByteReader& reader, uint32_t size,
                                                         size_t limit) {
  std::vector<uint32_t> positions;
  const bool whole = walk_ewah(reader, size, [&](uint64_t first, uint64_t end) {
    for (uint64_t bit = first; bit < end && positions.size() <= limit; ++bit) {
      positions.push_back(static_cast<uint32_t>(bit));
    }
  });
  if (!whole) return std::nullopt;
  return positions;
}

}  // namespace resident
