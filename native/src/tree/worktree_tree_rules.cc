// The part of WorktreeTree that applies ignore rules.
#include "status/directory_patterns.h"
#include "tree/worktree_tree.h"

namespace resident {

void WorktreeTree::set_rules(const ExcludeRules& rules) {
  rules_ = rules;
  ignore_rules_touched_ = true;
  reignore(*top_);
}

void WorktreeTree::reload_patterns(DirectoryNode& node) {
  read_patterns(scan_context(), node, watches_.root(), node.path_of(".gitignore"));
  ignore_rules_touched_ = true;
  reignore(node);
}

// Applies the rules anew to every name known below `node`. Only directories that are no longer
// ignored are read.
void WorktreeTree::reignore(DirectoryNode& node) {
  if (node.submodule || node.nested_repository()) return;
  std::vector<std::string> to_read;
  const std::string base = node.path();
  for (const Other& other : node.others()) {
    if (other.kind == OtherKind::kSpecial) continue;
    const std::string path = base + other.name;
    const bool is_directory = other.kind == OtherKind::kIgnoredDirectory;
    const bool ignored = rules_.ignores(node, path, other.name, is_directory);
    if (is_directory) {
      if (!ignored) to_read.push_back(other.name);
    } else {
      const OtherKind kind = ignored ? OtherKind::kIgnoredFile : OtherKind::kFile;
      node.set_other(other.name, &kind);
      untracked_.set(path, !ignored);
    }
  }
  for (const auto& child : node.children()) {
    if (child->submodule) continue;
    const bool ignored = rules_.ignores(node, base + child->name, child->name, true);
    if (child->holds_tracked()) {
      child->ignored = ignored;
    } else if (ignored) {
      to_read.push_back(child->name);
    }
  }
  for (const std::string& name : to_read) look(node, name, false);
  for (const auto& child : node.children()) reignore(*child);
}

bool WorktreeTree::is_ignored(std::string_view path, bool is_directory) const {
  const DirectoryNode* node = top_.get();
  for (size_t at = 0;;) {
    const size_t slash = path.find('/', at);
    const std::string_view name = path.substr(at, slash - at);
    const bool last = slash == std::string_view::npos;
    if (node->is_tracked() && last && index_->find_entry(node->index_directory, name)) return false;
    const bool tracked_directory =
        node->is_tracked() && index_->find_child(node->index_directory, name).has_value();
    if (!tracked_directory || last) {
      if (rules_.ignores(*node, path.substr(0, slash), name, !last || is_directory)) {
        return !tracked_directory;
      }
    }
    if (last) return false;
    const DirectoryNode* child = node->find_child(name);
    if (!child || child->submodule || child->nested_repository()) return false;
    node = child;
    at = slash + 1;
  }
}

}  // namespace resident
