#include "index/cache_tree.h"

#include <algorithm>
#include <string_view>

#include "base/cut_text.h"
#include "index/index.h"

namespace resident {
namespace {

// Reads the decimal number before `terminator`, and consumes both.
std::optional<int32_t> read_number(ByteReader& reader, uint8_t terminator) {
  auto digits = reader.read_until(terminator);
  if (!digits) return std::nullopt;
  int32_t value = 0;
  if (!parse_number(as_text(*digits), value)) return std::nullopt;
  return value;
}

// Finds the children of the directories whose subtrees are being read. git sorts subtrees by the
// length of their names, then by bytes. In that order, the next name is the name of the next child.
class OpenChildren {
 public:
  explicit OpenChildren(const Index& index) : index_(index) {}

  // find() now searches the children of `directory`; kNoDirectory has no children.
  void enter(uint32_t directory) {
    const auto begin = static_cast<std::ptrdiff_t>(children_.size());
    levels_.push_back({children_.size(), children_.size()});
    if (directory == kNoDirectory) return;
    const std::span<const IndexDirectory> all = index_.directories();
    const uint32_t end = all[directory].subtree_end;
    for (uint32_t child = directory + 1; child < end; child = all[child].subtree_end) {
      __builtin_prefetch(index_.directory_name(child).data());
      children_.push_back({all[child].name_length, child});
    }
    // Names of equal length are already sorted by bytes, and their directory numbers ascend.
    std::sort(children_.begin() + begin, children_.end());
  }
  void leave() {
    children_.resize(levels_.back().begin);
    levels_.pop_back();
  }
  // kNoDirectory if there is no such child, or if it was already found.
  uint32_t find(std::string_view name) {
    size_t& next = levels_.back().next;
    if (next == children_.size() || index_.directory_name(children_[next].directory) != name) {
      next = search(name);
    }
    if (next == children_.size() || children_[next].is_found) return kNoDirectory;
    children_[next].is_found = true;
    return children_[next++].directory;
  }

 private:
  struct Child {
    uint32_t name_length;
    uint32_t directory;
    bool is_found = false;
    auto operator<=>(const Child&) const = default;
  };
  struct Level {
    size_t begin;
    size_t next;
  };

  // Fallback: programs other than git may write another order.
  size_t search(std::string_view name) const {
    const auto begin = children_.begin() + static_cast<std::ptrdiff_t>(levels_.back().begin);
    const auto found =
        std::lower_bound(begin, children_.end(), name, [this](const Child& child, auto wanted) {
          if (child.name_length != wanted.size()) return child.name_length < wanted.size();
          return index_.directory_name(child.directory) < wanted;
        });
    const bool is_it = found != children_.end() && index_.directory_name(found->directory) == name;
    return is_it ? static_cast<size_t>(found - children_.begin()) : children_.size();
  }

  const Index& index_;
  std::vector<Child> children_;
  std::vector<Level> levels_;
};

}  // namespace

void CacheTree::check_counts(const Index& index) {
  const auto sparse = index.sparse_directories();
  for (Node& node : nodes_) {
    if (!node.valid()) continue;
    uint32_t expected = 0;
    if (node.directory != kNoDirectory) {
      auto [first, end] = index.subtree_entries(node.directory);
      // A sparse directory is one entry in the file.
      auto from = std::lower_bound(sparse.begin(), sparse.end(), node.directory);
      auto to =
          std::lower_bound(from, sparse.end(), index.directories()[node.directory].subtree_end);
      expected = end - first + static_cast<uint32_t>(to - from);
    }
    if (static_cast<uint32_t>(node.entry_count) == expected) continue;
    node = {-1, node.directory, 0};
    contradicts_index_ = true;
  }
}

std::optional<CacheTree> CacheTree::parse(Bytes extension, const Index& index) {
  CacheTree tree;
  tree.hash_size_ = hash_size(index.algorithm());
  ByteReader reader(extension);
  tree.nodes_.reserve(index.directories().size());
  tree.ids_.reserve(index.directories().size() * tree.hash_size_);
  OpenChildren children(index);
  // The number of missing subtrees for each open node. An explicit stack, because the file decides
  // the depth.
  std::vector<int32_t> subtrees_left;
  do {
    auto name = reader.read_until(0);
    if (!name || name->empty() != tree.nodes_.empty()) return std::nullopt;
    auto entry_count = read_number(reader, ' ');
    if (!entry_count) return std::nullopt;
    auto subtrees = read_number(reader, '\n');
    if (!subtrees || *subtrees < 0) return std::nullopt;

    Node node;
    node.directory = subtrees_left.empty() ? 0 : children.find(as_text(*name));
    if (*entry_count >= 0) {
      auto id = reader.take(tree.hash_size_);
      if (!id) return std::nullopt;
      node.entry_count = *entry_count;
      node.id_slot = static_cast<uint32_t>(tree.ids_.size() / tree.hash_size_);
      tree.ids_.insert(tree.ids_.end(), id->begin(), id->end());
    }
    tree.nodes_.push_back(node);
    if (!subtrees_left.empty()) --subtrees_left.back();
    if (*subtrees > 0) {
      subtrees_left.push_back(*subtrees);
      children.enter(node.directory);
    }
    while (!subtrees_left.empty() && subtrees_left.back() == 0) {
      subtrees_left.pop_back();
      children.leave();
    }
  } while (!subtrees_left.empty());
  tree.nodes_.shrink_to_fit();
  tree.ids_.shrink_to_fit();
  return tree;
}

void CacheTree::move_directories(std::span<const uint32_t> moved) {
  for (Node& node : nodes_) {
    if (node.directory != kNoDirectory) node.directory = moved[node.directory];
  }
}

}  // namespace resident
