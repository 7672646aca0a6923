#include "index/index.h"

#include <algorithm>

#include "index/path_order.h"

namespace resident {

uint32_t Index::directory_of(uint32_t entry) const {
  // first_entry ascends with the directory number. If several directories have the same
  // first_entry, only the last of them has entries of its own.
  auto after = std::upper_bound(
      directories_.begin(), directories_.end(), entry,
      [](uint32_t position, const IndexDirectory& d) { return position < d.first_entry; });
  return static_cast<uint32_t>(after - directories_.begin() - 1);
}

std::string Index::directory_path(uint32_t directory) const {
  size_t length = 0;
  for (uint32_t d = directory; d != 0; d = directories_[d].parent) {
    length += directories_[d].name_length + 1;
  }
  if (length == 0) return {};
  std::string path(length - 1, '/');
  size_t end = path.size();
  for (uint32_t d = directory; d != 0; d = directories_[d].parent) {
    std::string_view part = directory_name(d);
    path.replace(end - part.size(), part.size(), part);
    end -= part.size() + (end > part.size() ? 1 : 0);
  }
  return path;
}

std::string Index::path(uint32_t entry) const {
  std::string path = directory_path(directory_of(entry));
  if (!path.empty()) path += '/';
  path += name(entries_[entry]);
  return path;
}

std::pair<uint32_t, uint32_t> Index::subtree_entries(uint32_t directory) const {
  const IndexDirectory& d = directories_[directory];
  uint32_t end = d.subtree_end < directories_.size() ? directories_[d.subtree_end].first_entry
                                                     : static_cast<uint32_t>(entries_.size());
  return {d.first_entry, end};
}

std::optional<uint32_t> Index::find_child(uint32_t directory, std::string_view name) const {
  // Binary search. Children have subtrees of different sizes. Take the middle of all directories
  // below, and climb to the child that contains it.
  uint32_t low = directory + 1;
  uint32_t high = directories_[directory].subtree_end;
  while (low < high) {
    uint32_t child = low + (high - low) / 2;
    while (directories_[child].parent != directory) child = directories_[child].parent;
    std::strong_ordering order = compare_directory_names(directory_name(child), name);
    if (order == 0) return child;
    if (order < 0) {
      low = directories_[child].subtree_end;
    } else {
      high = child;
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> Index::find_child(uint32_t directory, std::string_view name,
                                          uint32_t likely) const {
  const bool is_it = likely < directories_.size() && directories_[likely].parent == directory &&
                     directory_name(likely) == name;
  return is_it ? likely : find_child(directory, name);
}

std::optional<uint32_t> Index::find_directory(std::string_view path) const {
  uint32_t directory = 0;
  while (!path.empty()) {
    size_t slash = path.find('/');
    auto child = find_child(directory, path.substr(0, slash));
    if (!child) return std::nullopt;
    directory = *child;
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  return directory;
}

std::optional<uint32_t> Index::find_entry(uint32_t directory, std::string_view name) const {
  std::span<const IndexEntry> range = entries_of(directory);
  auto found = std::lower_bound(range.begin(), range.end(), name,
                                [this](const IndexEntry& entry, std::string_view wanted) {
                                  return this->name(entry) < wanted;
                                });
  if (found == range.end() || this->name(*found) != name) return std::nullopt;
  return position(*found);
}

std::optional<uint32_t> Index::find_path(std::string_view path) const {
  size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return find_entry(0, path);
  auto directory = find_directory(path.substr(0, slash));
  if (!directory) return std::nullopt;
  return find_entry(*directory, path.substr(slash + 1));
}

uint32_t Index::end_of_path(uint32_t entry) const {
  const IndexDirectory& directory = directories_[directory_of(entry)];
  return end_of_path(entry, directory.first_entry + directory.entry_count);
}

std::span<const uint32_t> Index::sparse_directories_in(uint32_t directory) const {
  const auto begin = sparse_directories_.begin();
  const auto end = sparse_directories_.end();
  const auto first = std::lower_bound(begin, end, directory);
  return {first, std::lower_bound(first, end, directories_[directory].subtree_end)};
}

std::optional<ObjectId> Index::sparse_tree(uint32_t directory) const {
  auto found = std::lower_bound(sparse_directories_.begin(), sparse_directories_.end(), directory);
  if (found == sparse_directories_.end() || *found != directory) return std::nullopt;
  const auto slot = static_cast<size_t>(found - sparse_directories_.begin());
  const size_t size = hash_size(algorithm_);
  return ObjectId::from_bytes(Bytes(sparse_ids_).subspan(slot * size, size));
}

std::optional<Index::InSparseTree> Index::in_sparse_tree(std::string_view path) const {
  if (sparse_directories_.empty()) return std::nullopt;
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    const auto directory = find_directory(path.substr(0, slash));
    if (!directory) break;
    if (auto tree = sparse_tree(*directory)) return InSparseTree{*tree, path.substr(slash + 1)};
  }
  return std::nullopt;
}

bool Index::is_fsmonitor_dirty(uint32_t entry) const {
  return std::binary_search(fsmonitor_.dirty.begin(), fsmonitor_.dirty.end(), entry);
}

}  // namespace resident
