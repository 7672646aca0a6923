// Checks of index extensions whose content is not used here. git still reads them. If they are
// malformed, git writes to standard error or fails. Each function is true only if git reads the
// extension without a message.
//
// Source: git's Documentation/gitformat-index.txt; for the messages, resolve-undo.c and
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

// "IEOT" of a file with `entry_count` entries. They end before `entries_end`.
bool is_plain_entry_offsets(Bytes extension, size_t entry_count, size_t entries_end);

}  // namespace resident
