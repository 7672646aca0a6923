// FileSet: files whose stat tells whether something derived from them still holds.
//
// A file that was written so shortly before it was recorded that a second write could leave the
// same stat is "unsettled": it counts as changed until it has settled. Of a directory only its
// being there counts, unless its path is given with a '/' at the end: then its entries do.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fs/file_system.h"
#include "repo_state/metadata_gate.h"

namespace resident {

class FileSet {
 public:
  FileSet() = default;
  // Call record() before reading the files.
  static FileSet record(FileSystem& fs, std::vector<std::string> paths);
  // For files that are found by reading some of them, as HEAD says which ref counts: what `find`
  // read may be another file by the time that it is recorded, so that it is asked again until it
  // finds what was recorded. Unsettled where it finds others each time.
  static FileSet record_found(FileSystem& fs,
                              const std::function<std::vector<std::string>()>& find);

  // With a gate, which is to be drained before, only what it does not cover is looked at again.
  // changed(): they may be others than they were; differs(): they are, as their stat tells.
  bool changed(FileSystem& fs, MetadataGate* gate = nullptr) {
    return !settled_ || differs(fs, gate);
  }
  bool differs(FileSystem& fs, MetadataGate* gate = nullptr);
  bool is_settled() const { return settled_; }
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> paths_;
  std::vector<std::optional<FileStat>> stats_;
  bool settled_ = true;
  MetadataGate::Coverage coverage_;
};

}  // namespace resident
