// MetadataWatch: tells when one of a handful of files may have changed, by watching the directories
// that hold them. Of a directory that does not exist yet, the nearest one above is watched.
//
// Threads: set_files() from one thread at a time; `changed` is called on the watch's own thread and
// must not block.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"

namespace resident {

class MetadataWatch {
 public:
  virtual ~MetadataWatch() = default;
  static Result<std::unique_ptr<MetadataWatch>> create(FileSystem& fs,
                                                       std::function<void()> changed);
  // Absolute paths, existing or not; replaces the earlier ones.
  virtual void set_files(std::vector<std::string> files) = 0;
};

}  // namespace resident
