// A reflog: the ids that a ref had, with a reason for each change. Also parses reflog files.
//
// A line is "<old id> <new id> <name> <email> <seconds> <zone>\t<message>\n". git skips lines of
// any other form. It also skips a last line without a newline: it is being written. Source: git's
// refs/files-backend.c.
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

// Return true to continue.
using ReflogVisitor = std::function<bool(const ReflogEntry&)>;

// Calls `visit` for each entry of a file's content, newest first, until it returns false.
void visit_reflog_backwards(std::string_view log, HashAlgorithm algorithm,
                            const ReflogVisitor& visit);

}  // namespace resident
