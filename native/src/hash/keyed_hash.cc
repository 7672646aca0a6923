#include "hash/keyed_hash.h"

#include <sys/random.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace resident {
namespace {

// Without random bytes it is one that everybody could know, and a slow look-up the worst of it.
const uint64_t kSeed = [] {
  uint64_t seed = 0;
  (void)!::getrandom(&seed, sizeof seed, GRND_NONBLOCK);
  return seed;
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
