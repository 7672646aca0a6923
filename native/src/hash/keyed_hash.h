// Hashes by which one process tells byte strings apart, at the speed of memory (XXH3).
//
// No digests. What makes two strings share a hash depends on a seed that each process draws anew
// and tells nobody, so that no name and no file can be made to have the hash of another.
//
// Threads: any.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/bytes.h"

namespace resident {

// For tables.
uint64_t keyed_hash(std::string_view name);

// So many bits that equal ones mean equal bytes.
using Fingerprint = std::array<uint64_t, 2>;
inline constexpr Fingerprint kNoFingerprint = {0, 0};
Fingerprint fingerprint(Bytes bytes);

}  // namespace resident
