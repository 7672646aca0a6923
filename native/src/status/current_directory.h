// CurrentDirectory: the directory that a worker of a scan reads now, and the paths in it.
//
// Threads: one worker.
#pragma once

#include <string>
#include <string_view>

#include "status/scan.h"

namespace resident {

class CurrentDirectory {
 public:
  // Create it before any directory is read.
  explicit CurrentDirectory(const ScanContext& context)
      : context_(context), begun_(context.refresh.fs.now()) {}

  void set_path(const DirectoryNode& node) {
    path_.clear();
    node.append_path(path_);
    length_ = path_.size();
  }
  // Ends in '/'; "" for the root.
  std::string_view path() const { return std::string_view(path_).substr(0, length_); }
  // The path of a name in the directory; the second one ends in '/'. Valid until the next call.
  std::string_view path_of(std::string_view name) {
    path_.resize(length_);
    return path_.append(name);
  }
  std::string_view path_of_directory(std::string_view name) {
    path_of(name);
    path_.push_back('/');
    return path_;
  }

  // Records the stat of a directory that will be listed, unless the tree is read only once.
  void begin_listing(DirectoryNode& node, const Directory& directory);
  // When the scan began.
  Timestamp begun() const { return begun_; }
  // The directory may have got names since the scan began.
  bool is_new() const { return is_new_; }

  // A lookup by name succeeded in this directory.
  void mark_searched() { was_searched_ = true; }
  // True if the directory has search permission (x). Asks the kernel unless everybody has it.
  bool may_be_searched(const DirectoryNode& node, const Directory& directory);
  // Without search permission git cannot find out whether a .gitignore exists.
  void record_searchable(DirectoryNode& node, const Directory& directory);

 private:
  FileSystem& fs() const { return context_.refresh.fs; }

  const ScanContext& context_;
  const Timestamp begun_;
  std::string path_;  // path of the directory, then of a name in it
  size_t length_ = 0;
  bool was_searched_ = false;
  bool is_new_ = false;
};

}  // namespace resident
