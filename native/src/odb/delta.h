// The delta format of pack entries: a target written as copies from a base and inserted bytes.
//
// A delta is the base's size, the target's size (both little-endian base-128 numbers), then
// instructions: 1oooosss with offset and size bytes for a copy, 0nnnnnnn with n bytes for an
// insert, 0 reserved. Source: git's Documentation/gitformat-pack.txt, "Deltified representation".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace resident {

// The target's size as the delta's header claims it. kCorrupt where the header is cut off.
Result<uint64_t> delta_target_size(std::string_view delta);

// The target. kCorrupt where the delta does not fit `base`, reads or writes out of bounds or holds
// the reserved instruction; kUnsupported where the target is larger than `limit`. All instructions
// are checked before memory is taken for the target. Errors do not know the file.
Result<std::string> apply_delta(std::string_view base, std::string_view delta, uint64_t limit);

}  // namespace resident
