// Searches in short byte strings, eight bytes at a time. In such strings, a call of memchr or
// memcmp would cost more than the search.
//
// Never reads outside of the strings.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace resident {

namespace byte_search {

template <typename Word = uint64_t>
Word load(const char* p) {
  Word word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

inline constexpr uint64_t kOnes = 0x0101010101010101u;

// Nonzero if one of the eight bytes is zero.
inline uint64_t zero_bytes(uint64_t word) {
  return (word - kOnes) & ~word & (kOnes << 7);
}

// All bytes of a string of 1 to 7 bytes. Some bytes are loaded twice.
inline uint64_t load_short(std::string_view text) {
  const char* p = text.data();
  const size_t size = text.size();
  if (size >= 4) return load<uint32_t>(p) | uint64_t{load<uint32_t>(p + size - 4)} << 32;
  const auto byte = [p](size_t at) { return uint64_t{static_cast<unsigned char>(p[at])}; };
  const uint64_t three = byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
  return three | three << 24 | three << 48;
}

// Index of the first differing byte, from the XOR of two words.
inline size_t first_difference(uint64_t differs) {
  const int bits = std::endian::native == std::endian::little ? std::countr_zero(differs)
                                                              : std::countl_zero(differs);
  return static_cast<size_t>(bits) / 8;
}

}  // namespace byte_search

// The length of the longest common prefix, in bytes.
inline size_t common_prefix(std::string_view a, std::string_view b) {
  const size_t shorter = a.size() < b.size() ? a.size() : b.size();
  const auto differs_at = [a, b](size_t i) {
    return byte_search::load(a.data() + i) ^ byte_search::load(b.data() + i);
  };
  size_t i = 0;
  if (shorter < 8) {
    while (i < shorter && a[i] == b[i]) ++i;
    return i;
  }
  for (; i + 8 < shorter; i += 8) {
    const uint64_t differs = differs_at(i);
    if (differs != 0) return i + byte_search::first_difference(differs);
  }
  // The last eight bytes. Some of them are compared again.
  const uint64_t differs = differs_at(shorter - 8);
  return differs == 0 ? shorter : shorter - 8 + byte_search::first_difference(differs);
}

inline bool contains_byte(std::string_view text, char wanted) {
  const uint64_t pattern = byte_search::kOnes * static_cast<unsigned char>(wanted);
  if (text.size() < 8) {
    return !text.empty() && byte_search::zero_bytes(byte_search::load_short(text) ^ pattern) != 0;
  }
  for (size_t i = 0; i + 8 < text.size(); i += 8) {
    if (byte_search::zero_bytes(byte_search::load(text.data() + i) ^ pattern)) return true;
  }
  return byte_search::zero_bytes(byte_search::load(text.data() + text.size() - 8) ^ pattern) != 0;
}

inline bool same_bytes(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.size() < 8) {
    return a.empty() || byte_search::load_short(a) == byte_search::load_short(b);
  }
  return common_prefix(a, b) == a.size();
}

}  // namespace resident
