#include "repository/repository_search.h"

#include <algorithm>
#include <utility>

namespace resident {

namespace {

class Search {
 public:
  explicit Search(FileSystem& fs) : fs_(fs) {}

  void look(const Directory& directory, const std::string& path, int depth) {
    DirectoryListing listing;
    if (auto listed = fs_.list(directory, listing); !listed.ok()) {
      found_.problems.push_back({path, path + ": " + listed.error().message});
      return;
    }
    for (size_t i = 0; i < listing.size(); ++i) {
      auto [name, kind] = listing[i];
      if (name == ".git") {
        if (is_repository(path)) found_.roots.push_back(path);
      } else if (depth > 0 && name != "node_modules" &&
                 (kind == FileKind::kDirectory || kind == FileKind::kUnknown)) {
        enter(directory, path, name, depth);
      }
    }
  }

  RepositorySearch take() {
    std::sort(found_.roots.begin(), found_.roots.end());
    return std::move(found_);
  }

 private:
  void enter(const Directory& parent, const std::string& path, std::string_view name, int depth) {
    std::string child_path = path == "/" ? "/" : path + "/";
    child_path += name;
    auto child = fs_.open_directory_at(parent, name);
    if (child.ok()) {
      look(*child, child_path, depth - 1);
    } else if (child.error().code != ErrorCode::kNotFound) {
      found_.problems.push_back({child_path, child_path + ": " + child.error().message});
    }
  }

  // True for a gitfile, or for a .git directory with a HEAD. Symbolic links are followed here, like
  // in git.
  bool is_repository(const std::string& root) {
    auto dot_git = fs_.stat(root + "/.git");
    if (!dot_git.ok()) return false;
    if (dot_git->kind == FileKind::kRegular) return true;
    return dot_git->kind == FileKind::kDirectory && fs_.lstat(root + "/.git/HEAD").ok();
  }

  FileSystem& fs_;
  RepositorySearch found_;
};

}  // namespace

bool path_is_within(std::string_view path, std::string_view root) {
  if (root == "/") return path.starts_with('/');
  return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
}

RepositorySearch find_repositories(FileSystem& fs, const std::string& path, int depth) {
  Search search(fs);
  auto directory = fs.open_directory(path);
  if (!directory.ok()) {
    RepositorySearch failed;
    failed.problems.push_back({path, directory.error().message});
    return failed;
  }
  search.look(*directory, path, depth);
  return search.take();
}

}  // namespace resident
