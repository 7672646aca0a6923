#include "index/cache_tree.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "index/index.h"

namespace resident {
namespace {

// The decimal number before `terminator`, which is consumed.
std::optional<int32_t> read_number(ByteReader& reader, uint8_t terminator) {
  auto digits = reader.take_until(terminator);
  if (!digits) return std::nullopt;
  const char* first = reinterpret_cast<const char*>(digits->data());
  const char* last = first + digits->size();
  int32_t value = 0;
  auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

}  // namespace

void CacheTree::check_counts(const Index& index) {
  const auto sparse = index.sparse_directories();
  for (Node& node : nodes_) {
    if (!node.valid()) continue;
    uint32_t expected = 0;
    if (node.directory != kNoDirectory) {
      auto [first, end] = index.subtree_entries(node.directory);
      // A sparse directory counts as the one entry that it is in the file.
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

std::optional<CacheTree> CacheTree::parse(Bytes extension, const Index& index,
                                          const CacheTree* before) {
  // A node whose subtrees are still being read. A stack of our own: the depth is the file's word.
  struct Open {
    uint32_t directory;
    int32_t subtrees_left;
    // The next subtree's, where their names are as long as each other: git sorts by length first.
    uint32_t likely;
  };
  CacheTree tree;
  tree.hash_size_ = hash_size(index.algorithm());
  ByteReader reader(extension);
  if (before) tree.nodes_.reserve(before->nodes_.size());
  if (before) tree.ids_.reserve(before->ids_.size());
  std::vector<Open> open;
  do {
    auto name = reader.take_until(0);
    if (!name || name->empty() != tree.nodes_.empty()) return std::nullopt;
    auto entry_count = read_number(reader, ' ');
    if (!entry_count) return std::nullopt;
    auto subtrees = read_number(reader, '\n');
    if (!subtrees || *subtrees < 0) return std::nullopt;

    Node node;
    if (open.empty()) {
      node.directory = 0;
    } else if (open.back().directory != kNoDirectory) {
      const size_t i = tree.nodes_.size();
      const bool was_there = before && i < before->nodes_.size();
      const uint32_t likely = was_there ? before->nodes_[i].directory : open.back().likely;
      node.directory =
          index.find_child(open.back().directory, as_text(*name), likely).value_or(kNoDirectory);
      if (node.directory != kNoDirectory) {
        open.back().likely = index.directories()[node.directory].subtree_end;
      }
    }
    if (*entry_count >= 0) {
      auto id = reader.take(tree.hash_size_);
      if (!id) return std::nullopt;
      node.entry_count = *entry_count;
      node.id_slot = static_cast<uint32_t>(tree.ids_.size() / tree.hash_size_);
      tree.ids_.insert(tree.ids_.end(), id->begin(), id->end());
    }
    tree.nodes_.push_back(node);
    if (!open.empty()) --open.back().subtrees_left;
    open.push_back({node.directory, *subtrees, node.directory + 1});
    while (!open.empty() && open.back().subtrees_left == 0) open.pop_back();
  } while (!open.empty());
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
