// EWAH: the compressed bitmap of the split index, and of what git's file system monitor knows.
//
// On disk: the number of bits and of 64-bit words (32 bits each), the words, and the position of
// the last marker word (32 bits, only of use to who appends). A marker word holds, from its lowest
// bit: the value of a run (1 bit), the length of the run in words (32 bits), and how many words
// with bits of their own follow (31 bits).
//
// Format: git's Documentation/technical/bitmap-format.txt, appendix A.
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
std::optional<std::vector<bool>> read_ewah_bitmap(ByteReader& reader, size_t size);
// The same as the positions of the bits that are set, as they come (ascending); of more than
// `limit`, the first `limit` + 1.
std::optional<std::vector<uint32_t>> read_ewah_positions(ByteReader& reader, uint32_t size,
                                                         size_t limit);

}  // namespace resident
