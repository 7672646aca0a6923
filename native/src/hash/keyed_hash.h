// Hashes by which one process tells byte strings apart, at the speed of memory.
//
// No digests. What makes two strings share a hash depends on a seed that each process draws anew
// and tells nobody, so that no name and no file can be made to have the hash of another.
//
// Threads: any.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/byte_search.h"
#include "base/bytes.h"

namespace resident {

namespace keyed {

// Drawn when the process begins.
extern const std::array<uint64_t, 3> kKeys;

inline uint64_t mix(uint64_t a, uint64_t b) {
  __extension__ using Product = unsigned __int128;
  const Product product = Product{a} * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace keyed

// For tables. Inline, since most names are two or three words.
inline uint64_t keyed_hash(std::string_view name) {
  uint64_t hash = keyed::kKeys[0] ^ name.size();
  const auto add = [&hash](uint64_t word) {
    hash = keyed::mix(word ^ keyed::kKeys[1], hash ^ keyed::kKeys[2]);
  };
  if (name.size() < 8) {
    add(name.empty() ? 0 : byte_search::load_short(name));
    return hash;
  }
  for (size_t i = 0; i + 8 < name.size(); i += 8) add(byte_search::load(name.data() + i));
  add(byte_search::load(name.data() + name.size() - 8));
  return hash;
}

// So many bits that equal ones mean equal bytes (XXH3).
using Fingerprint = std::array<uint64_t, 2>;
inline constexpr Fingerprint kNoFingerprint = {0, 0};
Fingerprint fingerprint(Bytes bytes);

}  // namespace resident
