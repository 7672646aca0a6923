#include "worktree/untracked_view.h"

#include "worktree/nested_repository.h"

namespace resident {

namespace {

// What a directory turned out to hold; ordered, the greatest found decides.
enum class Holds : uint8_t { kNothing, kIgnored, kUntracked };

class View {
 public:
  View(FileSystem& fs, const std::string& root, const Index& index, UntrackedMode untracked,
       IgnoredMode ignored)
      : fs_(fs), root_(root), index_(index), untracked_mode_(untracked), ignored_mode_(ignored) {}

  UntrackedLists take(const DirectoryNode& top) {
    std::string path;
    tracked_directory(top, path);
    std::sort(lists_.untracked.begin(), lists_.untracked.end());
    std::sort(lists_.ignored.begin(), lists_.ignored.end());
    return std::move(lists_);
  }

 private:
  bool wants_ignored() const { return ignored_mode_ != IgnoredMode::kNo; }
  bool collapses() const { return untracked_mode_ == UntrackedMode::kNormal; }

  void add_untracked(const std::string& path) { lists_.untracked.push_back(path); }
  void add_ignored(const std::string& path) {
    if (wants_ignored()) lists_.ignored.push_back(path);
  }

  // A directory that stands where the index has a file is not listed by its own name.
  bool has_entry(const DirectoryNode& parent, std::string_view name) const {
    return parent.is_tracked() && index_.find_entry(parent.index_directory, name).has_value();
  }

  // `path` is the node's, "" or ending in '/'; restored on return.
  void tracked_directory(const DirectoryNode& node, std::string& path) {
    const size_t length = path.size();
    others(node, path);
    for (const auto& child : node.children) {
      if (child->submodule) continue;
      path.append(child->name).push_back('/');
      if (child->is_tracked()) {
        tracked_directory(*child, path);
      } else {
        untracked_child(node, *child, path);
      }
      path.resize(length);
    }
  }

  // Files and ignored directories directly in `node`.
  Holds others(const DirectoryNode& node, std::string& path) {
    Holds holds = Holds::kNothing;
    const size_t length = path.size();
    for (const Other& other : node.others) {
      path.append(other.name);
      Holds found = Holds::kNothing;
      switch (other.kind) {
        case OtherKind::kFile:
          add_untracked(path);
          found = Holds::kUntracked;
          break;
        case OtherKind::kIgnoredFile:
          add_ignored(path);
          found = Holds::kIgnored;
          break;
        case OtherKind::kIgnoredDirectory:
          path.push_back('/');
          found = ignored_directory(path, !has_entry(node, other.name));
          break;
        case OtherKind::kSpecial:
          break;
      }
      holds = std::max(holds, found);
      path.resize(length);
    }
    return holds;
  }

  // One untracked directory as its parent sees it.
  Holds untracked_child(const DirectoryNode& parent, const DirectoryNode& node, std::string& path) {
    const bool listable = !has_entry(parent, node.name);
    if (node.nested_repository) {
      if (listable) add_untracked(path);
      return Holds::kUntracked;
    }
    if (!collapses()) return untracked_directory(node, path);
    const size_t untracked_before = lists_.untracked.size();
    const size_t ignored_before = lists_.ignored.size();
    Holds holds = untracked_directory(node, path);
    lists_.untracked.resize(untracked_before);
    if (holds == Holds::kUntracked) {
      if (listable) add_untracked(path);
    } else if (holds == Holds::kIgnored && ignored_mode_ == IgnoredMode::kMatching) {
      // What is ignored stays listed one by one, instead of the directory.
      holds = Holds::kNothing;
    } else if (holds == Holds::kIgnored) {
      lists_.ignored.resize(ignored_before);
      if (listable) add_ignored(path);
    }
    return holds;
  }

  Holds untracked_directory(const DirectoryNode& node, std::string& path) {
    const size_t length = path.size();
    Holds holds = others(node, path);
    for (const auto& child : node.children) {
      path.append(child->name).push_back('/');
      holds = std::max(holds, untracked_child(node, *child, path));
      path.resize(length);
    }
    return holds;
  }

  // A directory that a pattern ignores. It can hold nothing but ignored paths.
  Holds ignored_directory(std::string& path, bool listable) {
    if (!wants_ignored()) return Holds::kIgnored;
    const bool recurse = ignored_mode_ == IgnoredMode::kTraditional;
    const std::string absolute = root_ + "/" + path.substr(0, path.size() - 1);
    if (!recurse || is_nested_repository(fs_, absolute)) {
      if (listable) add_ignored(path);
      return Holds::kIgnored;
    }
    Result<Directory> directory = fs_.open_directory(absolute);
    if (!directory.ok()) return Holds::kNothing;
    const bool found = ignored_contents(*directory, path);
    if (collapses() && found && listable) add_ignored(path);
    return found ? Holds::kIgnored : Holds::kNothing;
  }

  // Is there any file below? Lists each one where directories are not collapsed; else stops at the
  // first.
  bool ignored_contents(const Directory& directory, std::string& path) {
    DirectoryListing listing;
    if (!fs_.list(directory, listing).ok()) return false;
    const size_t length = path.size();
    bool found = false;
    for (size_t i = 0; i < listing.size() && !(found && collapses()); ++i) {
      auto [name, kind] = listing[i];
      if (name == ".git") continue;
      if (kind == FileKind::kUnknown) {
        Result<FileStat> stat = fs_.stat_at(directory, name);
        if (!stat.ok()) continue;
        kind = stat->kind;
      }
      path.append(name);
      if (kind == FileKind::kRegular || kind == FileKind::kSymlink) {
        found = true;
        if (!collapses()) add_ignored(path);
      } else if (kind == FileKind::kDirectory) {
        path.push_back('/');
        if (is_nested_repository(fs_, root_ + "/" + path.substr(0, path.size() - 1))) {
          found = true;
          if (!collapses()) add_ignored(path);
        } else if (Result<Directory> below = fs_.open_directory_at(directory, name); below.ok()) {
          found |= ignored_contents(*below, path);
        }
      }
      path.resize(length);
    }
    return found;
  }

  FileSystem& fs_;
  const std::string& root_;
  const Index& index_;
  const UntrackedMode untracked_mode_;
  const IgnoredMode ignored_mode_;
  UntrackedLists lists_;
};

}  // namespace

UntrackedLists untracked_view(FileSystem& fs, const std::string& root, const Index& index,
                              const DirectoryNode& top, UntrackedMode untracked,
                              IgnoredMode ignored) {
  if (untracked == UntrackedMode::kNo) return {};
  return View(fs, root, index, untracked, ignored).take(top);
}

}  // namespace resident
