// DirectoryOpener: opens the parents of directories that must be opened by path.
//
// Threads: one worker.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "status/scan.h"

namespace resident {

class DirectoryOpener {
 public:
  // `root`: the open root; null if no directory is opened by path.
  DirectoryOpener(const ScanContext& context, std::shared_ptr<const Directory> root)
      : context_(context), root_(std::move(root)) {}

  // A directory above another one, open.
  struct Above {
    std::shared_ptr<const Directory> directory = {};
    size_t length = 0;                  // length of its path
    std::optional<Error> failure = {};  // why it is not the direct parent
  };
  Above open_above(const DirectoryNode& node);

  // Calls `work` with a private table of file descriptors for this thread. Does not call it if the
  // root cannot be opened again.
  void with_private_fd_table(const std::function<void()>& work);

 private:
  FileSystem& fs() const { return context_.refresh.fs; }

  const ScanContext& context_;
  std::shared_ptr<const Directory> root_;
};

}  // namespace resident
