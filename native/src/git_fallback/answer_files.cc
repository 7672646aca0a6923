#include "git_fallback/answer_files.h"

#include <algorithm>
#include <set>

namespace resident {

namespace {

class Lister {
 public:
  explicit Lister(FileSystem& fs) : fs_(fs) {}

  // False where there is too much, or something cannot be followed.
  bool add_directory(const std::string& path) {
    // Some git directories lie in others.
    if (!seen_.insert(path).second) return true;
    if (!add(path + "/")) return false;
    Result<Directory> directory = fs_.open_directory(path);
    if (!directory.ok()) return directory.error().code == ErrorCode::kNotFound;
    DirectoryListing listing;
    if (!fs_.list(*directory, listing).ok()) return false;
    const bool is_git_dir = has(listing, "HEAD") && has(listing, "objects");
    for (size_t i = 0; i < listing.size(); ++i) {
      const auto [name, kind] = listing[i];
      const std::string below = path + "/" + std::string(name);
      if (kind == FileKind::kRegular) {
        if (!add(below)) return false;
        continue;
      }
      // Programs that git status does not run.
      if (is_git_dir && name == "hooks") continue;
      if (kind != FileKind::kDirectory) return false;
      const bool added =
          is_git_dir && name == "objects" ? add_objects(below) : add_directory(below);
      if (!added) return false;
    }
    return true;
  }

  std::vector<std::string> take() { return std::move(paths_); }

 private:
  static bool has(const DirectoryListing& listing, std::string_view name) {
    for (size_t i = 0; i < listing.size(); ++i) {
      if (listing[i].name == name) return true;
    }
    return false;
  }

  bool add(std::string path) {
    if (paths_.size() >= kMaxAnswerFiles) return false;
    paths_.push_back(std::move(path));
    return true;
  }

  // Objects are immutable under their names: which there are, the directories tell.
  bool add_objects(const std::string& path) {
    // Those of other stores are not looked at.
    if (fs_.lstat(path + "/info/alternates").ok()) return false;
    Result<Directory> directory = fs_.open_directory(path);
    DirectoryListing listing;
    if (!directory.ok() || !fs_.list(*directory, listing).ok() || !add(path + "/")) return false;
    for (size_t i = 0; i < listing.size(); ++i) {
      const auto [name, kind] = listing[i];
      if (kind != FileKind::kDirectory) continue;
      const std::string below = path + "/" + std::string(name);
      if (name == "info" ? !add_directory(below) : !add(below + "/")) return false;
      // A commit-graph or a multi-pack-index can be replaced under its name.
      if (name != "pack") continue;
      if (!add(below + "/multi-pack-index")) return false;
      if (!add(below + "/multi-pack-index.d/multi-pack-index-chain")) return false;
    }
    return true;
  }

  FileSystem& fs_;
  std::set<std::string> seen_;
  std::vector<std::string> paths_;
};

}  // namespace

std::optional<std::vector<std::string>> answer_files(FileSystem& fs,
                                                     const std::vector<std::string>& git_dirs) {
  Lister lister(fs);
  for (const std::string& git_dir : git_dirs) {
    if (!lister.add_directory(git_dir)) return std::nullopt;
  }
  return lister.take();
}

}  // namespace resident
