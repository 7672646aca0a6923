#include "status/directory_opener.h"

#include <vector>

namespace resident {

void DirectoryOpener::with_private_fd_table(const std::function<void()>& work) {
  if (fast_) (void)fast_->use_private_fd_table();
  Result<Directory> root = fs().open_directory(context_.refresh.root);
  if (!root.ok()) return;
  root_ = std::make_shared<const Directory>(std::move(root).value());
  work();
  root_.reset();
}

DirectoryOpener::Above DirectoryOpener::open_above(const DirectoryNode& node) {
  std::vector<const DirectoryNode*> way;
  for (const DirectoryNode* above = node.parent; above->parent; above = above->parent) {
    way.push_back(above);
  }
  Above reached{root_};
  for (auto step = way.rbegin(); step != way.rend(); ++step) {
    Result<Directory> opened = open_place(*reached.directory, (*step)->name);
    if (!opened.ok()) {
      reached.failure = opened.error();
      break;
    }
    reached.directory = std::make_shared<const Directory>(std::move(opened).value());
    reached.length += (*step)->name.size() + 1;
  }
  return reached;
}

}  // namespace resident
