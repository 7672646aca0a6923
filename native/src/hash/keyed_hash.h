// Fast hashes of byte strings, valid within one process.
//
// They are no digests. Collisions depend on a secret random seed of each process. Therefore nobody
// can construct a name or a file with the hash of another.
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

// Drawn when the process starts.
extern const std::array<uint64_t, 3> kKeys;

inline uint64_t mix(uint64_t a, uint64_t b) {
  __extension__ using Product = unsigned __int128;
  const Product product = Product{a} * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace keyed

// For hash tables. Inline, because most names have two or three words.
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

// 128 bits (XXH3): equal fingerprints mean equal bytes.
using Fingerprint = std::array<uint64_t, 2>;
inline constexpr Fingerprint kNoFingerprint = {0, 0};
Fingerprint fingerprint(Bytes bytes);

}  // namespace resident
