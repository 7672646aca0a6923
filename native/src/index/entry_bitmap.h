// The bitmaps of an index: a bit for each entry, compressed as EWAH (base/ewah.h). The split index
// has them, and what git's file system monitor knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace resident {

// The bitmap at the reader's position, which ends up behind it. Of `size` bits in the answer those
// are set that the bitmap says. nullopt where the bytes end early, a word is counted that is not
// there, or a bit at or above `size` is set.
std::optional<std::vector<bool>> read_entry_bitmap(ByteReader& reader, size_t size);
// The same as the positions of the bits that are set, as they come (ascending); of more than
// `limit`, the first `limit` + 1.
std::optional<std::vector<uint32_t>> read_entry_positions(ByteReader& reader, uint32_t size,
                                                          size_t limit);

}  // namespace resident
