// Searches in short byte strings, eight bytes at a time, where a call would cost more than the
// search.
//
// Nothing beyond the strings is read.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace resident {

namespace byte_search {

inline uint64_t load(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

inline constexpr uint64_t kOnes = 0x0101010101010101u;

// Not zero where one of the eight bytes is.
inline uint64_t zero_bytes(uint64_t word) {
  return (word - kOnes) & ~word & (kOnes << 7);
}

}  // namespace byte_search

// How many bytes both begin with.
inline size_t common_prefix(std::string_view a, std::string_view b) {
  const size_t shorter = a.size() < b.size() ? a.size() : b.size();
  size_t i = 0;
  for (; shorter - i >= 8; i += 8) {
    const uint64_t differs = byte_search::load(a.data() + i) ^ byte_search::load(b.data() + i);
    if (differs == 0) continue;
    const int bits = std::endian::native == std::endian::little ? std::countr_zero(differs)
                                                                : std::countl_zero(differs);
    return i + static_cast<size_t>(bits) / 8;
  }
  while (i < shorter && a[i] == b[i]) ++i;
  return i;
}

inline bool contains_byte(std::string_view text, char wanted) {
  if (text.size() < 8) {
    for (char c : text) {
      if (c == wanted) return true;
    }
    return false;
  }
  const uint64_t pattern = byte_search::kOnes * static_cast<unsigned char>(wanted);
  for (size_t i = 0; i + 8 < text.size(); i += 8) {
    if (byte_search::zero_bytes(byte_search::load(text.data() + i) ^ pattern)) return true;
  }
  // The last eight, some of them for the second time.
  return byte_search::zero_bytes(byte_search::load(text.data() + text.size() - 8) ^ pattern) != 0;
}

}  // namespace resident
