// CurrentHead: HEAD and its tree.
//
// Threads: one owner.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "refs/ref_store.h"
#include "repo_state/current_objects.h"
#include "repo_state/file_set.h"

namespace resident {

class CurrentHead {
 public:
  // All parameters must outlive this object; `gate` may be null.
  CurrentHead(FileSystem& fs, MetadataGate* gate, RefStore& refs, CurrentObjects& objects)
      : fs_(fs), gate_(gate), refs_(refs), objects_(objects) {}

  Result<void> load();
  // True if the commit, the branch, or the way to read objects has changed. After an error, the
  // next call tries again.
  Result<bool> refresh();
  // The same id can have another tree.
  void mark_stale() { is_stale_ = true; }

  const Head& get() const { return head_; }
  // nullopt on an unborn branch.
  const std::optional<ObjectId>& tree() const { return tree_; }
  // A branch or a tag has the name HEAD. git warns at each use of HEAD that it is ambiguous.
  bool is_ambiguous() const { return is_ambiguous_; }
  const std::vector<std::string>& files() const { return files_.paths(); }

 private:
  Result<void> read();

  FileSystem& fs_;
  MetadataGate* const gate_;
  RefStore& refs_;
  CurrentObjects& objects_;
  Head head_;
  std::optional<ObjectId> tree_;
  bool is_ambiguous_ = false;
  bool is_stale_ = true;
  FileSet files_;
};

}  // namespace resident
