// CurrentIndex: the index of a worktree, as it is read, and unfolded where it is sparse.
//
// It is behind the tree, or the tree behind it: between a read() that found something and the
// moment when the tree took it over, is_new() or refreshed() say what the tree lacks.
//
// Threads: one owner.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/index.h"
#include "index/index_ahead.h"
#include "repo_state/file_set.h"
#include "repository/repository.h"

namespace resident {

class CurrentIndex {
 public:
  enum class Found {
    kSame,
    kOther,      // another index: is_new()
    kRefreshed,  // in place: refreshed()
    kMoved,      // the same, with other positions
  };

  // All outlive this. `ahead` may be null.
  CurrentIndex(FileSystem& fs, const Repository& repository, IndexAhead* ahead)
      : fs_(fs), repository_(repository), ahead_(ahead) {}

  // Whether its files may be others than those that were read.
  bool may_differ(MetadataGate* gate);
  // Reads it again. `may_refresh`: the tree has taken over what was read before; `may_move`: and
  // can go along with entries that moved.
  Result<Found> read(bool may_move);
  // Instead of what was read: the same with some of its sparse directories unfolded.
  void replace_by_unfolded(std::shared_ptr<const Index> unfolded);

  // Null until it was read.
  const std::shared_ptr<const Index>& get() const { return index_; }
  const Index& operator*() const { return *index_; }
  const Index* operator->() const { return index_.get(); }
  explicit operator bool() const { return index_ != nullptr; }

  // Not the tree's yet.
  bool is_new() const { return is_new_; }
  // What it, which is the tree's, says since it was refreshed. Where that is not taken over at
  // once, a scan is due.
  const Index::Refreshed& refreshed() const { return refreshed_; }
  Index::Refreshed consume_refreshed() { return std::exchange(refreshed_, {}); }
  bool has_untaken() const { return is_new_ || !refreshed_.empty(); }
  // The tree has it, as it is now. True where it was new.
  bool consume_is_new() { return std::exchange(is_new_, false); }
  void mark_applied() {
    is_new_ = false;
    refreshed_ = {};
  }

  // The sparse directories as they were read; null where its file is none of a sparse index.
  const std::vector<std::string>* sparse_as_read() const {
    return sparse_as_read_ ? &*sparse_as_read_ : nullptr;
  }
  bool was_sparse() const { return sparse_as_read_ && !sparse_as_read_->empty(); }
  // Below a directory that the file has as one entry.
  bool was_sparse_at(const std::string& path) const;
  std::vector<std::string> shared_files() const { return shared_files_.paths(); }

 private:
  Index::LoadOptions options() const;
  Result<std::shared_ptr<Index>> load() const;
  std::optional<Found> refresh(bool may_move);

  FileSystem& fs_;
  const Repository& repository_;
  IndexAhead* const ahead_;
  std::shared_ptr<const Index> index_;
  std::shared_ptr<Index> refreshable_;  // index_, unless that was unfolded
  FileSet files_;
  FileSet shared_files_;  // of a split index
  std::optional<std::vector<std::string>> sparse_as_read_;
  bool is_new_ = false;
  Index::Refreshed refreshed_;
};

}  // namespace resident
