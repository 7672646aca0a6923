// Bitmaps in an index file: one bit for each entry, compressed as EWAH (base/ewah.h). The split
// index and git's file system monitor write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace resident {

// Reads the bitmap at the reader's position and moves the reader behind it. The answer has `size`
// bits. nullopt if the bytes end early, a counted word is missing, or a bit at or above `size` is
// set.
std::optional<std::vector<bool>> read_entry_bitmap(ByteReader& reader, size_t size);
// The same, but returns the positions of the set bits in ascending order. Stops after `limit` + 1
// positions.
std::optional<std::vector<uint32_t>> read_entry_positions(ByteReader& reader, uint32_t size,
                                                          size_t limit);

}  // namespace resident
