#include "model/stored_blobs.h"

#include "object/tree.h"

namespace resident {

namespace {

using Found = Result<std::optional<ObjectId>>;

Found in_tree(const ModelView& view, std::optional<ObjectId> tree, std::string_view path) {
  while (tree) {
    const size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    RESIDENT_TRY(std::string content, view.state.objects().read_tree(*tree));
    std::optional<TreeEntry> found;
    for (TreeIterator entries(content, view.repository.algorithm); !found;) {
      RESIDENT_TRY(bool more, entries.next());
      if (!more) break;
      if (entries.entry().name == name) found = entries.entry();
    }
    if (!found || found->mode == kModeGitlink) return std::optional<ObjectId>();
    if (slash == std::string_view::npos) {
      return found->is_tree() ? std::optional<ObjectId>() : std::optional(found->id);
    }
    if (!found->is_tree()) return std::optional<ObjectId>();
    tree = found->id;
    path.remove_prefix(slash + 1);
  }
  return std::optional<ObjectId>();
}

Found below_sparse_directory(const ModelView& view, std::string_view path) {
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    auto directory = view.index.find_directory(path.substr(0, slash));
    if (!directory) break;
    if (auto tree = view.index.sparse_tree(*directory)) {
      return in_tree(view, tree, path.substr(slash + 1));
    }
  }
  return std::optional<ObjectId>();
}

}  // namespace

Found find_blob(const ModelView& view, std::string_view path, int stage) {
  if (stage < 0) return in_tree(view, view.state.head_tree(), path);
  const auto position = view.index.find_path(path);
  if (!position) return stage == 0 ? below_sparse_directory(view, path) : Found(std::nullopt);
  for (uint32_t i = *position, end = view.index.end_of_path(*position); i < end; ++i) {
    const IndexEntry& entry = view.index.entries()[i];
    if (entry.stage() == stage && !entry.intent_to_add()) return std::optional(view.index.id(i));
  }
  return std::optional<ObjectId>();
}

}  // namespace resident
