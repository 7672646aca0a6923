// The part of WorktreeTree that applies ignore rules.
#include "status/directory_patterns.h"
#include "tree/worktree_tree.h"

namespace resident {

void WorktreeTree::set_rules(const ExcludeRules& rules) {
  state_.rules = rules;
  state_.ignore_rules_touched = true;
  reignore(*state_.top);
}

void WorktreeTree::reload_patterns(DirectoryNode& node) {
  read_patterns(state_.scan_context(), node, state_.watches.root(), node.path_of(".gitignore"));
  state_.ignore_rules_touched = true;
  reignore(node);
}

// Applies the new rules to all known names below `node`. Reads only directories that are no longer
// ignored.
void WorktreeTree::reignore(DirectoryNode& node) {
  if (node.submodule || node.nested_repository()) return;
  std::vector<std::string> to_read;
  const std::string base = node.path();
  for (const Other& other : node.others()) {
    if (other.kind == OtherKind::kSpecial) continue;
    const std::string path = base + other.name;
    const bool is_directory = other.kind == OtherKind::kIgnoredDirectory;
    const bool ignored = state_.rules.ignores(node, path, other.name, is_directory);
    if (is_directory) {
      if (!ignored) to_read.push_back(other.name);
    } else {
      const OtherKind kind = ignored ? OtherKind::kIgnoredFile : OtherKind::kFile;
      node.set_other(other.name, &kind);
      state_.untracked.set(path, !ignored);
    }
  }
  for (const auto& child : node.children()) {
    if (child->submodule) continue;
    const bool ignored = state_.rules.ignores(node, base + child->name, child->name, true);
    if (child->holds_tracked()) {
      child->ignored = ignored;
    } else if (ignored) {
      to_read.push_back(child->name);
    }
  }
  for (const std::string& name : to_read) look(node, name, false);
  for (const auto& child : node.children()) reignore(*child);
}

}  // namespace resident
