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

}  // namespace

std::optional<std::vector<bool>> read_ewah_bitmap(ByteReader& reader, size_t size) {
  auto bit_count = reader.be32();
  auto word_count = reader.be32();
  if (!bit_count || !word_count) return std::nullopt;
  auto words = reader.take(size_t{*word_count} * sizeof(uint64_t));
  if (!words || !reader.be32()) return std::nullopt;

  std::vector<bool> bits(size);
  ByteReader rest(*words);
  uint64_t position = 0;  // cannot overflow: 2^32 words announce 2^32 words of 64 bits each at most
  while (auto word = rest.be64()) {
    const Marker marker = read_marker(*word);
    const uint64_t run_end = position + marker.run_words * kWordBits;
    if (marker.run_value) {
      if (run_end > size) return std::nullopt;
      std::fill(bits.begin() + static_cast<ptrdiff_t>(position),
                bits.begin() + static_cast<ptrdiff_t>(run_end), true);
    }
    position = run_end;
    for (uint64_t i = 0; i < marker.literal_words; ++i, position += kWordBits) {
      auto literal = rest.be64();
      if (!literal) return std::nullopt;
      for (uint64_t left = *literal; left != 0; left &= left - 1) {
        const uint64_t bit = position + static_cast<uint64_t>(std::countr_zero(left));
        if (bit >= size) return std::nullopt;
        bits[bit] = true;
      }
    }
  }
  return bits;
}

}  // namespace resident
