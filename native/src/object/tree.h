// TreeIterator: walks the raw content of a tree object.
//
// An entry on disk is "<mode in octal> <name>\0<id bytes>"; entries lie back to back. Every step is
// checked against the end of the content. Order, duplicates and odd names ("..", a slash) are
// passed on as they are, as git's own reader does.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "hash/object_id.h"

namespace resident {

inline constexpr uint32_t kModeTypeMask = 0170000;
inline constexpr uint32_t kModeTree = 0040000;
inline constexpr uint32_t kModeRegular = 0100644;
inline constexpr uint32_t kModeExecutable = 0100755;
inline constexpr uint32_t kModeSymlink = 0120000;
inline constexpr uint32_t kModeGitlink = 0160000;

// One of the five modes above, as git canonicalises what a tree (or a stat) says: of a regular
// file's permissions only the owner's x bit counts, and what is no file, link or directory is a
// gitlink.
uint32_t canonical_mode(uint32_t mode);

struct TreeEntry {
  uint32_t mode = 0;      // canonical
  std::string_view name;  // points into the content given to the iterator
  ObjectId id;

  bool is_tree() const { return mode == kModeTree; }
};

class TreeIterator {
 public:
  // `content` must outlive the iterator and the names that it hands out.
  TreeIterator(std::string_view content, HashAlgorithm algorithm)
      : content_(content), hash_size_(hash_size(algorithm)) {}

  // Steps to the next entry, the first one at the first call: true where there is one, false at the
  // end, kCorrupt where the content is malformed (the message does not know which tree it is).
  Result<bool> next();

  // Meaningful after next() returned true.
  const TreeEntry& entry() const { return entry_; }

 private:
  std::string_view content_;  // what has not been read yet
  size_t hash_size_;
  TreeEntry entry_;
};

}  // namespace resident
