#include "tree/path_applier.h"

#include <algorithm>

#include "base/ascii.h"

namespace resident {

namespace {

// Whether the name can be a short name, or another Unicode form of a name.
bool may_be_other_name(std::string_view name) {
  return std::any_of(name.begin(), name.end(),
                     [](char c) { return c == '~' || static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

bool PathApplier::apply(const Batch::Paths& paths) {
  bool all_seen = true;
  for (const auto& [path, mark] : paths) all_seen &= apply(path, mark);
  listing_.reset();
  return all_seen;
}

// Starts at the root each time: handling a path can delete directories.
bool PathApplier::apply(std::string_view path, PathMark mark) {
  if (path.empty()) return !mark.below;
  DirectoryNode* node = state_.top.get();
  for (;;) {
    const size_t slash = path.find('/');
    const bool is_last = slash == std::string_view::npos;
    const std::string_view name = path.substr(0, slash);
    if (is_dot_git(name, state_.settings.ignore_case)) {
      // Each update rechecks the repositories.
      if (is_last && node->parent) rechecker_.recheck_name(*node, ".git", mark.below);
      return true;
    }
    if (node->nested_repository()) return true;
    DirectoryNode* child = node->find_child(name);
    if (is_last || !child) {
      const Other* const other = node->find_other(name);
      if (!is_last && other && other->kind == OtherKind::kIgnoredDirectory) return true;
      if (is_known(*node, name)) {
        rechecker_.recheck_name(*node, name, mark.below || !is_last);
        return true;
      }
      if (!is_last) child = find_by_case(*node, name);
      if (!child) return apply_unknown(*node, name, mark.below || !is_last);
    }
    node = child;
    path.remove_prefix(slash + 1);
  }
}

bool PathApplier::is_known(const DirectoryNode& node, std::string_view name) const {
  if (node.find_child(name) || node.find_other(name)) return true;
  return node.is_tracked() && (state_.index->find_entry(node.index_directory, name) ||
                               state_.index->find_child(node.index_directory, name));
}

// Later changes of the directory have events of their own.
const PathApplier::Listing& PathApplier::list(const DirectoryNode& node) {
  std::string path = node.path();
  if (listing_ && listing_->directory == path) return *listing_;
  listing_ = Listing{std::move(path), false, {}};
  const Result<Directory> directory = state_.watches.open(node);
  DirectoryListing names;
  listing_->is_read = directory.ok() && state_.setup.fs.list(*directory, names).ok();
  for (size_t i = 0; listing_->is_read && i < names.size(); ++i) {
    listing_->names.emplace(names[i].name);
  }
  return *listing_;
}

// Null: the name is listed with this case, or has no child with another case.
DirectoryNode* PathApplier::find_by_case(const DirectoryNode& node, std::string_view name) {
  if (list(node).names.contains(name)) return nullptr;
  for (const auto& child : node.children()) {
    if (equal_bytes(child->name, name, true)) return child.get();
  }
  return nullptr;
}

std::vector<std::string> PathApplier::find_names_by_case(const DirectoryNode& node,
                                                         std::string_view name) {
  std::set<std::string> names;
  const auto add = [&](std::string_view other) {
    if (equal_bytes(other, name, true)) names.emplace(other);
  };
  for (const std::string& other : list(node).names) add(other);
  for (const auto& child : node.children()) add(child->name);
  for (const Other& other : node.others()) add(other.name);
  if (node.is_tracked()) {
    for (const IndexEntry& entry : state_.index->entries_of(node.index_directory)) {
      add(state_.index->name(entry));
    }
  }
  return {names.begin(), names.end()};
}

bool PathApplier::apply_unknown(DirectoryNode& node, std::string_view name, bool below) {
  if (!list(node).is_read) return recheck_names(node, below);
  if (list(node).names.contains(name)) {
    rechecker_.recheck_name(node, name, below);
    return true;
  }
  const std::vector<std::string> names = find_names_by_case(node, name);
  if (names.empty() && may_be_other_name(name)) return recheck_names(node, below);
  // A name that is gone is rechecked too, for the journal.
  if (names.empty()) rechecker_.recheck_name(node, name, false);
  const std::string path = node.path();
  for (const std::string& other : names) {
    // The recheck of one name can replace the node.
    if (DirectoryNode* const now = state_.find_node(path)) {
      rechecker_.recheck_name(*now, other, below);
    }
  }
  return true;
}

// Rechecks every name in the directory; with `below`, everything below it.
bool PathApplier::recheck_names(DirectoryNode& node, bool below) {
  const std::string path = node.path();
  const Result<Directory> directory = state_.watches.open(node);
  if (!below && directory.ok() && rechecker_.recheck_names(node, *directory)) return true;
  if (path.empty()) return false;
  if (const DirectoryNode* const now = state_.find_node(path)) rechecker_.reread_directory(*now);
  return true;
}

}  // namespace resident
