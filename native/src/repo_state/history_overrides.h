// HistoryOverrides: replaced objects and grafts, which give the same ids other trees and another
// history; and the end of a shallow history.
//
// Threads: one owner.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "repo_state/file_set.h"
#include "repo_state/loaded_parts.h"

namespace resident {

class HistoryOverrides {
 public:
  // All parameters must outlive this object; `gate` may be null. `parts.objects` gets the
  // replacements.
  HistoryOverrides(FileSystem& fs, MetadataGate* gate, const LoadedParts& parts)
      : fs_(fs), gate_(gate), parts_(parts) {}

  // kUnsupported: only git can answer with these overrides.
  Result<void> load();
  // True if other objects are replaced. After an error, the next call tries again.
  Result<bool> refresh();
  // The config may decide otherwise.
  void mark_stale() { is_stale_ = true; }

  const std::vector<std::string>& files() const { return files_.paths(); }

 private:
  using Replaced = std::map<std::string, ObjectId>;  // by ref

  Result<bool> read();
  Result<void> check_surroundings() const;
  Result<Replaced> replaced_objects() const;

  FileSystem& fs_;
  MetadataGate* const gate_;
  const LoadedParts parts_;
  Replaced replaced_;
  bool is_stale_ = false;
  FileSet files_;
};

}  // namespace resident
