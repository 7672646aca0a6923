// CurrentIndex: the worktree's index as read, expanded if it is sparse.
//
// The tree can lag behind the index. After a read() that found changes, is_new() or refreshed()
// describe them until the tree has applied them.
//
// Threads: one owner.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/index.h"
#include "repo_state/file_set.h"
#include "repository/repository.h"

namespace resident {

class CurrentIndex {
 public:
  enum class Found {
    kSame,
    kOther,      // another index: see is_new()
    kRefreshed,  // refreshed in place: see refreshed()
    kMoved,      // refreshed in place, with moved entries
  };

  // All parameters must outlive this object.
  CurrentIndex(FileSystem& fs, const Repository& repository) : fs_(fs), repository_(repository) {}

  // True if the index files may have changed since they were read.
  bool may_differ(MetadataGate* gate);
  // Reads the index again. `may_move`: the tree uses this index and can follow moved entries.
  Result<Found> read(bool may_move);
  // Replaces the index by a copy with some of its sparse directories expanded.
  void replace_by_unfolded(std::shared_ptr<const Index> unfolded);

  // Null before the first read().
  const std::shared_ptr<const Index>& get() const { return index_; }
  const Index& operator*() const { return *index_; }
  const Index* operator->() const { return index_.get(); }
  explicit operator bool() const { return index_ != nullptr; }

  // True: the tree has not applied this index.
  bool is_new() const { return is_new_; }
  // The changes since the tree applied the index. If the tree does not apply them at once, a scan
  // is due.
  const Index::Refreshed& refreshed() const { return refreshed_; }
  Index::Refreshed consume_refreshed() { return std::exchange(refreshed_, {}); }
  bool has_untaken() const { return is_new_ || !refreshed_.empty(); }
  // The tree has applied the current index. True: the index was new.
  bool consume_is_new() { return std::exchange(is_new_, false); }
  void mark_applied() {
    is_new_ = false;
    refreshed_ = {};
  }

  // The sparse directories in the file; null if the file is no sparse index.
  const std::vector<std::string>* sparse_as_read() const {
    return sparse_as_read_ ? &*sparse_as_read_ : nullptr;
  }
  bool was_sparse() const { return sparse_as_read_ && !sparse_as_read_->empty(); }
  // True if `path` lies below a directory that the file has as one entry.
  bool was_sparse_at(const std::string& path) const;
  std::vector<std::string> shared_files() const { return shared_files_.paths(); }

 private:
  Index::LoadOptions options() const;
  std::optional<Found> refresh(bool may_move);

  FileSystem& fs_;
  const Repository& repository_;
  std::shared_ptr<const Index> index_;
  std::shared_ptr<Index> refreshable_;  // index_, unless that was expanded
  FileSet files_;
  FileSet shared_files_;  // files of a split index
  std::optional<std::vector<std::string>> sparse_as_read_;
  bool is_new_ = false;
  Index::Refreshed refreshed_;
};

}  // namespace resident
