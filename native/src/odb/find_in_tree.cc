#include "odb/find_in_tree.h"

#include "object/tree.h"

namespace resident {

Result<std::optional<TreeFind>> find_in_tree(ObjectDatabase& objects, const ObjectId& tree,
                                             std::string_view path) {
  TreeFind at{kModeTree, tree};
  for (;;) {
    if (at.mode != kModeTree) return std::optional<TreeFind>();
    const size_t slash = path.find('/');
    RESIDENT_TRY(const std::string content, objects.read_tree(at.id));
    std::optional<TreeFind> found;
    for (TreeIterator entries(content, objects.algorithm()); !found;) {
      RESIDENT_TRY(const bool more, entries.next());
      if (!more) break;
      const TreeEntry& entry = entries.entry();
      if (entry.name == path.substr(0, slash)) found = TreeFind{entry.mode, entry.id};
    }
    if (!found || slash == std::string_view::npos) return found;
    at = *found;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace resident
