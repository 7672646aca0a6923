#include "diff/sparse_directories.h"

#include <map>
#include <vector>

#include "index/sparse_expansion.h"
#include "object/tree.h"

namespace resident {

Result<std::shared_ptr<const Index>> expand_from_trees(const Index& index,
                                                       std::span<const uint32_t> directories,
                                                       const TreeReader& read_tree) {
  std::map<uint32_t, std::vector<TreeItem>> contents;
  for (uint32_t directory : directories) {
    const ObjectId tree = *index.sparse_tree(directory);
    RESIDENT_TRY(const std::string content, read_tree(tree));
    std::vector<TreeItem>& items = contents[directory];
    for (TreeIterator entries(content, index.algorithm());;) {
      Result<bool> more = entries.next();
      if (!more.ok()) {
        return Error{more.error().code, "tree " + tree.hex() + ": " + more.error().message};
      }
      if (!*more) break;
      const TreeEntry& entry = entries.entry();
      items.push_back({std::string(entry.name), static_cast<uint16_t>(entry.mode), entry.id});
    }
  }
  return expand_sparse_directories(index, contents);
}

}  // namespace resident
