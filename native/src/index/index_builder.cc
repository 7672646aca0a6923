#include "index/index_builder.h"

#include <cstring>

namespace resident {

IndexBuilder::IndexBuilder(HashAlgorithm algorithm)
    : index_(new Index()), grouper_(index_->directories_, index_->names_) {
  index_->algorithm_ = algorithm;
  index_->checksum_ = ObjectId::null(algorithm);
}

void IndexBuilder::start(const IndexFile& file, size_t entries, size_t name_bytes) {
  index_->version_ = file.version();
  index_->checksum_ = file.checksum();
  // Most of it is never touched.
  index_->names_.reserve(name_bytes);
  pending_.reserve(entries);
}

void IndexBuilder::set_sparse() {
  index_->is_sparse_ = true;
}

void IndexBuilder::set_shared_path(std::string path) {
  index_->shared_path_ = std::move(path);
}

void IndexBuilder::set_untracked_cache_place(std::string_view place) {
  index_->untracked_cache_place_ = place;
}

Result<void> IndexBuilder::add(const DiskEntry& entry, size_t keep, std::string_view suffix) {
  if (entry.is_sparse_directory()) {
    if (entry.stage() != 0 || (entry.flags & IndexEntry::kSkipWorktree) == 0) {
      return Error{ErrorCode::kUnsupported, "directory entry that is not sparse"};
    }
    RESIDENT_TRY(uint32_t directory, grouper_.add_directory(keep, suffix));
    index_->sparse_directories_.push_back(directory);
    const Bytes id = entry.id_bytes(hash_size(index_->algorithm_));
    index_->sparse_ids_.insert(index_->sparse_ids_.end(), id.begin(), id.end());
    return {};
  }
  RESIDENT_TRY(DirectoryGrouper::Place place, grouper_.add(keep, suffix, entry.stage()));
  pending_.push_back(
      {entry.disk, place.directory, place.name_offset, place.name_length, entry.mode, entry.flags});
  return {};
}

std::shared_ptr<const Index> IndexBuilder::finish(const FileStat& stat, Bytes cache_tree) {
  grouper_.finish();
  index_->stat_ = stat;
  index_->names_.shrink_to_fit();
  index_->directories_.shrink_to_fit();
  place_entries();
  attach(cache_tree);
  return std::move(index_);
}

void IndexBuilder::place_entries() {
  const size_t id_size = hash_size(index_->algorithm_);
  std::vector<IndexDirectory>& directories = index_->directories_;
  uint32_t first = 0;
  for (IndexDirectory& directory : directories) {
    directory.first_entry = first;
    first += directory.entry_count;
    directory.entry_count = 0;
  }
  index_->entries_.resize(pending_.size());
  index_->ids_.resize(pending_.size() * id_size);
  for (const Pending& pending : pending_) {
    IndexDirectory& directory = directories[pending.directory];
    const DiskEntry disk{pending.disk, pending.mode, pending.flags, 0, {}};
    const size_t slot = directory.first_entry + directory.entry_count++;
    IndexEntry& entry = index_->entries_[slot];
    entry.stat = disk.stat();
    entry.mode = pending.mode;
    entry.flags = pending.flags;
    entry.name_offset = pending.name_offset;
    entry.name_length = pending.name_length;
    std::memcpy(index_->ids_.data() + slot * id_size, disk.id_bytes(id_size).data(), id_size);
  }
  pending_ = {};
}

void IndexBuilder::attach(Bytes cache_tree) {
  if (cache_tree.empty()) return;
  index_->cache_tree_ = CacheTree::decode(cache_tree, *index_);
  if (!index_->cache_tree_) return;
  std::span<const CacheTree::Node> nodes = index_->cache_tree_->nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].directory != kNoDirectory) {
      index_->directories_[nodes[i].directory].cache_tree = i;
    }
  }
}

}  // namespace resident
