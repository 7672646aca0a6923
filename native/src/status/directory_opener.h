// DirectoryOpener: opens the parents of directories that must be opened by path.
//
// Threads: one worker.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "fs/fast_file_access.h"
#include "status/scan.h"

namespace resident {

class DirectoryOpener {
 public:
  // `root`: the open root; null if no directory is opened by path.
  DirectoryOpener(const ScanContext& context, std::shared_ptr<const Directory> root)
      : context_(context), fast_(context.refresh.fs.fast_access()), root_(std::move(root)) {}

  // A directory above another one, open.
  struct Above {
    std::shared_ptr<const Directory> directory = {};
    size_t length = 0;                  // length of its path
    std::optional<Error> failure = {};  // why it is not the direct parent
  };
  Above open_above(const DirectoryNode& node);
  // Opens a subdirectory to look up names in it. It may be impossible to list.
  Result<Directory> open_place(const Directory& parent, std::string_view name) const {
    return fast_ ? fast_->open_place_at(parent, name) : fs().open_directory_at(parent, name);
  }

  // Calls `work` with a private table of file descriptors for this thread. Does not call it if the
  // root cannot be opened again.
  void with_private_fd_table(const std::function<void()>& work);

 private:
  FileSystem& fs() const { return context_.refresh.fs; }

  const ScanContext& context_;
  FastFileAccess* const fast_;  // null: the system has none
  std::shared_ptr<const Directory> root_;
};

}  // namespace resident
