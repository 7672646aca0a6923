#include "index/folded_index.h"

#include <algorithm>
#include <string>

namespace resident {
namespace {

char fold(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// FNV-1a, because it can be continued.
constexpr uint64_t kHashStart = 14695981039346656037u;

uint64_t hash_on(uint64_t hash, std::string_view bytes) {
  for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(fold(c))) * 1099511628211u;
  return hash;
}

bool equal_folded(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return fold(x) == fold(y); });
}

template <typename Slots>
auto with_hash(const Slots& slots, uint64_t hash) {
  struct ByHash {
    bool operator()(const typename Slots::value_type& slot, uint64_t h) { return slot.hash < h; }
    bool operator()(uint64_t h, const typename Slots::value_type& slot) { return h < slot.hash; }
  };
  return std::equal_range(slots.begin(), slots.end(), hash, ByHash{});
}

}  // namespace

FoldedIndex::FoldedIndex(std::shared_ptr<const Index> index) : index_(std::move(index)) {
  const auto directories = index_->directories();
  entries_.reserve(index_->entries().size());
  directories_.reserve(directories.size());
  // Hash of each directory's path with its slash.
  std::vector<uint64_t> prefix(directories.size(), kHashStart);
  for (uint32_t d = 0; d < directories.size(); ++d) {
    if (d > 0) {
      const uint64_t hash = hash_on(prefix[directories[d].parent], index_->directory_name(d));
      directories_.push_back({hash, d});
      prefix[d] = hash_on(hash, "/");
    }
    for (const IndexEntry& entry : index_->entries_of(d)) {
      entries_.push_back({hash_on(prefix[d], index_->name(entry)), index_->position(entry)});
    }
  }
  auto by_hash = [](const Slot& a, const Slot& b) { return a.hash < b.hash; };
  std::sort(entries_.begin(), entries_.end(), by_hash);
  std::sort(directories_.begin(), directories_.end(), by_hash);
}

bool FoldedIndex::find(const std::vector<Slot>& slots, std::string_view path, bool gitlink) const {
  const auto [first, last] = with_hash(slots, hash_on(kHashStart, path));
  return std::any_of(first, last, [&](const Slot& slot) {
    if (gitlink && !index_->entries()[slot.position].is_gitlink()) return false;
    return equal_folded(index_->path(slot.position), path);
  });
}

bool FoldedIndex::has_directory(std::string_view path) const {
  const auto [first, last] = with_hash(directories_, hash_on(kHashStart, path));
  return std::any_of(first, last, [&](const Slot& slot) {
    return equal_folded(index_->directory_path(slot.position), path);
  });
}

bool have_same_paths(const Index& a, const Index& b) {
  if (a.entries().size() != b.entries().size() ||
      a.directories().size() != b.directories().size()) {
    return false;
  }
  for (uint32_t d = 0; d < a.directories().size(); ++d) {
    if (a.directories()[d].subtree_end != b.directories()[d].subtree_end ||
        a.directories()[d].first_entry != b.directories()[d].first_entry ||
        a.directory_name(d) != b.directory_name(d)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < a.entries().size(); ++i) {
    const IndexEntry& x = a.entries()[i];
    const IndexEntry& y = b.entries()[i];
    if (x.is_gitlink() != y.is_gitlink() || a.name(x) != b.name(y)) {
      return false;
    }
  }
  return true;
}

}  // namespace resident
