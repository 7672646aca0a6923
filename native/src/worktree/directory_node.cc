#include "worktree/directory_node.h"

namespace resident {

namespace {

auto child_position(const DirectoryNode& node, std::string_view name) {
  return std::lower_bound(
      node.children.begin(), node.children.end(), name,
      [](const auto& child, std::string_view wanted) { return child->name < wanted; });
}

auto other_position(std::vector<Other>& others, std::string_view name) {
  return std::lower_bound(
      others.begin(), others.end(), name,
      [](const Other& other, std::string_view wanted) { return other.name < wanted; });
}

void append_path(const DirectoryNode& node, std::string& out) {
  if (!node.parent) return;
  append_path(*node.parent, out);
  out += node.name;
  out += '/';
}

}  // namespace

std::string DirectoryNode::path() const {
  std::string out;
  append_path(*this, out);
  return out;
}

DirectoryNode* DirectoryNode::find_child(std::string_view child) const {
  auto at = child_position(*this, child);
  return at != children.end() && (*at)->name == child ? at->get() : nullptr;
}

Other* DirectoryNode::find_other(std::string_view other) {
  auto at = other_position(others, other);
  return at != others.end() && at->name == other ? &*at : nullptr;
}

std::unique_ptr<DirectoryNode> DirectoryNode::remove_child(std::string_view child) {
  auto at = children.begin() + (child_position(*this, child) - children.cbegin());
  if (at == children.end() || (*at)->name != child) return nullptr;
  std::unique_ptr<DirectoryNode> removed = std::move(*at);
  children.erase(at);
  return removed;
}

DirectoryNode& DirectoryNode::insert_child(std::unique_ptr<DirectoryNode> child) {
  child->parent = this;
  return **children.insert(child_position(*this, child->name), std::move(child));
}

void DirectoryNode::set_other(std::string_view other, const OtherKind* kind) {
  auto at = other_position(others, other);
  const bool known = at != others.end() && at->name == other;
  if (!kind) {
    if (known) others.erase(at);
  } else if (known) {
    at->kind = *kind;
  } else {
    others.insert(at, Other{std::string(other), *kind});
  }
}

}  // namespace resident
