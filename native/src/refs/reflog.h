// A reflog: what a ref was moved to, and why; and the lines of one that is a file.
//
// "<old id> <new id> <name> <email> <seconds> <zone>\t<message>\n"; git passes over lines of
// another shape, and over a last one without its newline, which is one that is being written.
// Source: git's refs/files-backend.c.
#pragma once

#include <functional>
#include <string_view>

#include "hash/object_id.h"

namespace resident {

struct ReflogEntry {
  ObjectId old_id;
  ObjectId new_id;
  std::string_view message;  // without the newline
};

// Returns whether to go on.
using ReflogVisitor = std::function<bool(const ReflogEntry&)>;

// Calls `visit` for each entry of a file's content, the last one first, until it returns false.
void visit_reflog_backwards(std::string_view log, HashAlgorithm algorithm,
                            const ReflogVisitor& visit);

}  // namespace resident
