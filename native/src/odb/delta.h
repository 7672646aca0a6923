// The delta format of pack entries. A delta builds a target from copied parts of a base and from
// inserted bytes.
//
// A delta starts with the sizes of the base and of the target, as little-endian base-128 numbers.
// Then come the instructions:
// - 1oooosss copies from the base; offset and size bytes follow.
// - 0nnnnnnn inserts the next n bytes.
// - 0 is reserved.
//
// Source: git's Documentation/gitformat-pack.txt, "Deltified representation".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace resident {

// The target's size according to the delta's header. kCorrupt: the header is cut off or malformed.
Result<uint64_t> delta_target_size(std::string_view delta);

// Builds the target. Fails with kCorrupt if the delta does not fit `base`, goes out of bounds, or
// has the reserved instruction. Fails with kUnsupported if the target is larger than `limit`. All
// instructions are checked before memory for the target is allocated. Error messages do not name
// the file.
Result<std::string> apply_delta(std::string_view base, std::string_view delta, uint64_t limit);

}  // namespace resident
