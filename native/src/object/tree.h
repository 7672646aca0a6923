// TreeIterator: walks the raw content of a tree object.
//
// An entry is stored as "<mode in octal> <name>\0<id bytes>". Entries follow each other directly.
// Each step is checked against the end of the content. The iterator does not check the order,
// duplicates or odd names ("..", a slash). git's own reader does not either.
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

// Reduces a mode from a tree or a stat to one of the five modes above, like git. Only the owner's x
// bit counts of a regular file's permissions. Anything that is no file, link or directory becomes a
// gitlink.
uint32_t canonical_mode(uint32_t mode);

struct TreeEntry {
  uint32_t mode = 0;      // canonical
  std::string_view name;  // view of the iterator's content
  ObjectId id;

  bool is_tree() const { return mode == kModeTree; }
};

class TreeIterator {
 public:
  // `content` must outlive the iterator and the returned names.
  TreeIterator(std::string_view content, HashAlgorithm algorithm)
      : content_(content), hash_size_(hash_size(algorithm)) {}

  // Moves to the next entry; the first call moves to the first entry. True: entry() is valid.
  // False: end. kCorrupt: the content is malformed; the message does not name the tree.
  Result<bool> next();

  // Valid after next() returned true.
  const TreeEntry& entry() const { return entry_; }

 private:
  std::string_view content_;  // the unread rest
  size_t hash_size_;
  TreeEntry entry_;
};

}  // namespace resident
