#include "model/stored_blobs.h"

#include "object/tree.h"
#include "odb/find_in_tree.h"

namespace resident {

namespace {

using Found = Result<std::optional<ObjectId>>;

Found in_tree(const ModelView& view, const std::optional<ObjectId>& tree, std::string_view path) {
  if (!tree) return std::optional<ObjectId>();
  RESIDENT_TRY(const std::optional<TreeFind> found,
               find_in_tree(view.state.objects(), *tree, path));
  const bool is_blob = found && found->mode != kModeGitlink && found->mode != kModeTree;
  return is_blob ? std::optional(found->id) : std::nullopt;
}

Found below_sparse_directory(const ModelView& view, std::string_view path) {
  const auto place = view.index.in_sparse_tree(path);
  return place ? in_tree(view, place->tree, place->path) : Found(std::nullopt);
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
