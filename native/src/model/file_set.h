// FileSet: files whose stat tells whether something derived from them still holds.
//
// A file that was written so shortly before it was recorded that a second write could leave the
// same stat is "unsettled": it counts as changed until it has settled. Of a directory only its
// being there counts, unless its path is given with a '/' at the end: then its entries do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fs/file_system.h"

namespace resident {

class FileSet {
 public:
  FileSet() = default;
  // Call record() before reading the files.
  static FileSet record(FileSystem& fs, std::vector<std::string> paths);

  bool changed(FileSystem& fs) const;
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> paths_;
  std::vector<std::optional<FileStat>> stats_;
  bool settled_ = true;
};

}  // namespace resident
