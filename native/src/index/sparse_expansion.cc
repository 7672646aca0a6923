#include "index/sparse_expansion.h"

#include <algorithm>

#include "index/directory_grouper.h"
#include "index/index_parts.h"
#include "index/path_order.h"

namespace resident {
namespace {

constexpr uint16_t kModeDirectory = 0040000;

}  // namespace

class SparseExpander {
 public:
  SparseExpander(const Index& old, const std::map<uint32_t, std::vector<TreeItem>>& contents)
      : old_(old), contents_(contents), index_(new Index()) {}

  Result<std::shared_ptr<const Index>> run() {
    index_->names_ = old_.names_;
    index_->may_intend_to_add_ = old_.may_intend_to_add_;
    index_->shared_path_ = old_.shared_path_;
    index_->untracked_cache_place_ = old_.untracked_cache_place_;
    index_->stat_ = old_.stat_;
    index_->algorithm_ = old_.algorithm_;
    index_->version_ = old_.version_;
    index_->checksum_ = old_.checksum_;
    for (uint32_t d = 0; d < old_.directories().size(); ++d) {
      moved_.push_back(static_cast<uint32_t>(index_->directories_.size()));
      copy(d);
      if (auto found = contents_.find(d); found != contents_.end()) {
        RESIDENT_CHECK(expand(found->second));
      }
    }
    finish();
    return std::shared_ptr<const Index>(std::move(index_));
  }

 private:
  // Copies the directory with its own entries. finish() sets its subtree_end.
  void copy(uint32_t d) {
    IndexDirectory directory = old_.directories()[d];
    if (directory.parent != kNoDirectory) directory.parent = moved_[directory.parent];
    const auto entries = old_.entries_of(d);
    if (auto tree = old_.sparse_tree(d); tree && !contents_.contains(d)) add_sparse(*tree);
    directory.first_entry = static_cast<uint32_t>(index_->entries_.size());
    index_->entries_.append(entries);
    for (const IndexEntry& entry : entries) add_id(old_.id_bytes(old_.position(entry)));
    index_->directories_.push_back(directory);
  }

  // Adds the items of the tree of the directory that was added last.
  Result<void> expand(const std::vector<TreeItem>& items) {
    const auto parent = static_cast<uint32_t>(index_->directories_.size() - 1);
    const TreeItem* before = nullptr;
    for (const TreeItem& item : items) {
      const bool sorted = !before || compare_names(before->name, before->mode == kModeDirectory,
                                                   item.name, item.mode == kModeDirectory) < 0;
      if (!sorted || !is_index_name(item.name) || item.name.find('/') != std::string::npos) {
        return Error{
            ErrorCode::kUnsupported,
            old_.directory_path(parent) + ": the tree has entries that an index cannot contain"};
      }
      before = &item;
      if (item.mode != kModeDirectory) RESIDENT_CHECK(add_file(parent, item));
    }
    for (const TreeItem& item : items) {
      if (item.mode != kModeDirectory) continue;
      add_sparse(item.id);
      IndexDirectory directory;
      directory.parent = parent;
      RESIDENT_TRY(directory.name_offset, store(item.name));
      directory.name_length = static_cast<uint32_t>(item.name.size());
      directory.first_entry = static_cast<uint32_t>(index_->entries_.size());
      index_->directories_.push_back(directory);
    }
    return {};
  }

  Result<void> add_file(uint32_t directory, const TreeItem& item) {
    IndexEntry entry;
    entry.mode = item.mode;
    entry.flags = IndexEntry::kSkipWorktree;
    RESIDENT_TRY(entry.name_offset, store(item.name));
    entry.name_length = static_cast<uint16_t>(item.name.size());
    index_->entries_.push_back(entry);
    add_id(item.id.bytes());
    ++index_->directories_[directory].entry_count;
    return {};
  }

  // Marks the directory that will be added next as sparse.
  void add_sparse(const ObjectId& tree) {
    index_->sparse_directories_.push_back(static_cast<uint32_t>(index_->directories_.size()));
    index_->sparse_ids_.insert(index_->sparse_ids_.end(), tree.bytes().begin(), tree.bytes().end());
  }

  void add_id(Bytes id) { index_->ids_.append(id); }

  Result<uint32_t> store(std::string_view name) {
    if (name.size() > DirectoryGrouper::kMaxComponent ||
        index_->names_.size() + name.size() > UINT32_MAX) {
      return Error{ErrorCode::kUnsupported, "path component too long"};
    }
    const auto offset = static_cast<uint32_t>(index_->names_.size());
    index_->names_.append(name);
    return offset;
  }

  void finish() {
    const auto count = static_cast<uint32_t>(index_->directories_.size());
    // First give every directory a subtree of itself only. New directories keep it.
    for (uint32_t d = 0; d < count; ++d) index_->directories_[d].subtree_end = d + 1;
    for (uint32_t d = 0; d < moved_.size(); ++d) {
      const uint32_t end = old_.directories()[d].subtree_end;
      index_->directories_[moved_[d]].subtree_end = end < moved_.size() ? moved_[end] : count;
    }
    index_->gitlinks_ = gitlinks_in(index_->entries());
    if (!old_.cache_tree_) return;
    index_->cache_tree_ = old_.cache_tree_;
    index_->cache_tree_->move_directories(moved_);
  }

  const Index& old_;
  const std::map<uint32_t, std::vector<TreeItem>>& contents_;
  std::shared_ptr<Index> index_;
  std::vector<uint32_t> moved_;  // new number of each old directory
};

Result<std::shared_ptr<const Index>> expand_sparse_directories(
    const Index& index, const std::map<uint32_t, std::vector<TreeItem>>& contents) {
  return SparseExpander(index, contents).run();
}

}  // namespace resident
