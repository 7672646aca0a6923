#include "hash/keyed_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "os/random.h"

namespace resident {
namespace {

// Without random bytes the public default is used. The worst effect is slow lookups.
template <typename Seed>
Seed draw(Seed seed) {
  fill_random(&seed, sizeof seed);
  return seed;
}

const auto kSeed = draw(uint64_t{0});

}  // namespace

const std::array<uint64_t, 3> keyed::kKeys =
    draw(std::array<uint64_t, 3>{0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu});

Fingerprint fingerprint(Bytes bytes) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), kSeed);
  return {hash.low64, hash.high64};
}

}  // namespace resident
