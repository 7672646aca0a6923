#include "status/directory_names.h"

#include <utility>

#include "object/tree.h"
#include "status/absent.h"

namespace resident {

// Returns a node for a subdirectory that must be read. Otherwise records only its name.
std::unique_ptr<DirectoryNode> DirectoryNames::node_of_directory(DirectoryNode& node,
                                                                 std::string_view name) {
  const std::optional<uint32_t> entry = entries_.find(name, Listed::kDirectory);
  auto child =
      node_of(classify_directory(rules(), node, current_.path_of(name), name, entry), name);
  if (child) {
    child->parent = &node;
  } else {
    node.add_other(name, OtherKind::kIgnoredDirectory);
  }
  return child;
}

DirectoryNode* DirectoryNames::take_directory(DirectoryNode& node, std::string_view name) {
  if (is_outside(name)) return nullptr;
  std::unique_ptr<DirectoryNode> child = node_of_directory(node, name);
  if (!child) return nullptr;
  const bool is_untracked = !child->holds_tracked() && !child->submodule;
  if (is_untracked &&
      context_.limit.directory(current_.path_of_directory(name)) == PathspecMatch::kNone) {
    return nullptr;
  }
  DirectoryNode* const taken = child.get();
  node.add_child(std::move(child));
  return taken;
}

// True if the index has this name.
bool DirectoryNames::take_file(DirectoryNode& node, std::string_view name, FileKind kind) {
  if (node.submodule) return false;
  if (entries_.find(name, Listed::kFile)) return true;
  if (auto other = classify_file(rules(), node, current_.path_of(name), name, kind)) {
    node.add_other(name, *other);
  }
  return false;
}

DirectoryNode* DirectoryNames::take(DirectoryNode& node, const Directory& directory,
                                    DirectoryListing::Entry entry) {
  auto [name, kind] = entry;
  if (is_dot_git(name, context_.refresh.settings.ignore_case)) return nullptr;
  if (kind == FileKind::kUnknown) {
    Result<FileStat> stat = fs().stat_at(directory, name);
    if (!stat.ok()) return nullptr;
    kind = stat->kind;
  }
  if (kind == FileKind::kDirectory) return take_directory(node, name);
  const bool is_tracked = !context_.watch_only && take_file(node, name, kind);
  if (!is_tracked && links_.need_stat(kind)) links_.examine_untracked(directory, name);
  return nullptr;
}

bool DirectoryNames::is_above_start() const {
  const std::string_view start = context_.limit.start();
  const std::string_view path = current_.path();
  return path.size() < start.size() && start.starts_with(path);
}

void DirectoryNames::take_way(DirectoryNode& node, const Directory& directory) {
  const std::string_view rest = context_.limit.start().substr(current_.path().size());
  const std::string_view name = rest.substr(0, rest.find('/'));
  // No listing has these names, and git uses listings.
  if (name.empty() || name == "." || name == "..") return;
  const Result<FileStat> stat = fs().stat_at(directory, name);
  if (!stat.ok()) return;
  current_.mark_searched();
  take(node, directory, {name, stat->kind});
}

void DirectoryNames::take_index_directories(DirectoryNode& node) {
  const IndexDirectory& in_index = index().directories()[node.index_directory];
  for (uint32_t below = node.index_directory + 1; below < in_index.subtree_end;
       below = index().directories()[below].subtree_end) {
    const std::string_view name = index().directory_name(below);
    if (is_outside(name)) {
      mark_absent(context_, below, findings_);
      continue;
    }
    auto child = std::make_unique<DirectoryNode>();
    child->name = name;
    child->parent = &node;
    child->index_directory = below;
    node.add_child(std::move(child));
  }
}

}  // namespace resident
