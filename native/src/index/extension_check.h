// Index extensions that hold nothing for us. git reads them all the same, and says so on standard
// error where they are not as it wrote them, or gives up. Each of these is true only of what it
// reads without a word.
//
// Source: git's Documentation/gitformat-index.txt; for what it says, resolve-undo.c and
// read-cache.c.
//
// Threads: any.
#pragma once

#include <cstddef>

#include "base/bytes.h"
#include "hash/object_id.h"

namespace resident {

// "REUC".
bool is_plain_resolve_undo(Bytes extension, HashAlgorithm algorithm);

// "IEOT", in a file with that many entries, which end before `entries_end`.
bool is_plain_entry_offsets(Bytes extension, size_t entry_count, size_t entries_end);

}  // namespace resident
