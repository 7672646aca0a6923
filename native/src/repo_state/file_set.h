// FileSet: files whose stat shows whether derived data is still valid.
//
// A file is "unsettled" if it was written just before record(): a second write could leave the same
// stat. It counts as changed until it has settled. For a directory, only its existence counts. If
// its path ends with '/', its entries count too.
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
  // For files that are found by reading other files, as HEAD names a ref. A file that `find` read
  // may change before it is recorded. `find` is therefore repeated until it returns the recorded
  // files. Unsettled if the results never agree.
  static FileSet record_found(FileSystem& fs,
                              const std::function<std::vector<std::string>()>& find);

  // With a gate, which must be drained before, only files that it does not cover are checked.
  // - changed(): the files may have changed
  // - differs(): their stat shows a change
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

void append_files(std::vector<std::string>& files, std::vector<std::string> more);

}  // namespace resident
