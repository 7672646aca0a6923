#include "hash/keyed_hash.h"

#include <random>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace resident {
namespace {

const uint64_t kSeed = [] {
  std::random_device random;
  return uint64_t{random()} << 32 | random();
}();

}  // namespace

uint64_t keyed_hash(std::string_view name) {
  return XXH3_64bits_withSeed(name.data(), name.size(), kSeed);
}

Fingerprint fingerprint(Bytes bytes) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), kSeed);
  return {hash.low64, hash.high64};
}

}  // namespace resident
