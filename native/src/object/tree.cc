#include "object/tree.h"

namespace resident {

uint32_t canonical_mode(uint32_t mode) {
  switch (mode & kModeTypeMask) {
    case 0100000:
      return mode & 0100 ? kModeExecutable : kModeRegular;
    case kModeSymlink:
      return kModeSymlink;
    case kModeTree:
      return kModeTree;
    default:
      return kModeGitlink;
  }
}

Result<bool> TreeIterator::next() {
  if (content_.empty()) return false;

  size_t space = content_.find(' ');
  if (space == 0 || space == std::string_view::npos) return corrupt("malformed mode in tree entry");
  uint32_t mode = 0;
  for (char digit : content_.substr(0, space)) {
    if (digit < '0' || digit > '7') return corrupt("malformed mode in tree entry");
    mode = mode << 3 | static_cast<uint32_t>(digit - '0');
  }

  std::string_view rest = content_.substr(space + 1);
  size_t end = rest.find('\0');
  if (end == std::string_view::npos) return corrupt("too-short tree object");
  if (end == 0) return corrupt("empty filename in tree entry");
  if (rest.size() - end - 1 < hash_size_) return corrupt("too-short tree object");

  entry_.mode = canonical_mode(mode);
  entry_.name = rest.substr(0, end);
  entry_.id = ObjectId::from_bytes(as_bytes(rest.substr(end + 1, hash_size_)));
  content_ = rest.substr(end + 1 + hash_size_);
  return true;
}

}  // namespace resident
