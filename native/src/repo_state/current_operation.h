// CurrentOperation: the merge, rebase or other operation in progress.
//
// Threads: one owner.
#pragma once

#include <string>
#include <vector>

#include "delta/status_delta.h"
#include "history/operation_sources.h"
#include "repo_state/file_set.h"
#include "repo_state/loaded_parts.h"

namespace resident {

class CurrentOperation {
 public:
  // All parameters must outlive this object; `gate` may be null.
  CurrentOperation(FileSystem& fs, MetadataGate* gate, const LoadedParts& parts)
      : fs_(fs), gate_(gate), parts_(parts) {}

  void load();
  void refresh(bool config_changed) {
    if (config_changed || files_.changed(fs_, gate_)) load();
  }

  Operation kind() const { return kind_; }
  // In the format of StatusDelta.
  const std::string& step() const { return step_; }
  const std::vector<std::string>& files() const { return files_.paths(); }

 private:
  Operation read_kind() const;

  FileSystem& fs_;
  MetadataGate* const gate_;
  const LoadedParts parts_;
  Operation kind_ = Operation::kNone;
  std::string step_;
  FileSet files_;
};

}  // namespace resident
