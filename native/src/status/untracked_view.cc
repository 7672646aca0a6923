#include "status/untracked_view.h"

#include "repository/nested_repository.h"
#include "status/classify.h"

namespace resident {

namespace {

// What a directory turned out to hold; ordered, the greatest found decides.
enum class Holds : uint8_t { kNothing, kIgnored, kUntracked };

class View {
 public:
  View(FileSystem& fs, const std::string& root, const Index& index, const UntrackedRequest& request)
      : fs_(fs), root_(root), index_(index), request_(request), limit_(request.limit) {}

  Result<UntrackedLists> take(const DirectoryNode& top) {
    std::string path;
    if (!top.has_nothing_to_list()) contents(top, path);
    if (!passed_by_git_.empty()) {
      return Error{ErrorCode::kUnsupported, passed_by_git_ + ": cannot be read"};
    }
    std::sort(lists_.untracked.begin(), lists_.untracked.end());
    std::sort(lists_.ignored.begin(), lists_.ignored.end());
    return std::move(lists_);
  }

 private:
  bool wants_ignored() const { return request_.ignored != IgnoredMode::kNo; }
  bool collapses() const { return request_.untracked == UntrackedMode::kNormal; }

  void add_untracked(const std::string& path) { lists_.untracked.push_back(path); }
  void add_ignored(const std::string& path) {
    if (wants_ignored()) lists_.ignored.push_back(path);
  }

  // `path` of a directory, "" or ending in '/'.
  void record_unreadable(const std::string& path) {
    const std::string_view start = limit_.start();
    lists_.git_warns = true;
    if (path.size() < start.size() && start.starts_with(path)) passed_by_git_ = path;
  }

  // What is in `node`, and below as far as git goes there. `path` is the node's, "" or ending in
  // '/'; restored on return.
  Holds contents(const DirectoryNode& node, std::string& path) {
    if (!node.readable()) record_unreadable(path);
    lists_.git_warns |= !node.patterns_readable();
    Holds holds = others(node, path);
    const size_t length = path.size();
    for (const auto& child : node.children()) {
      if (child->submodule || child->has_nothing_to_list()) continue;
      path.append(child->name);
      if (limit_.may_be_at_or_below(path)) {
        path.push_back('/');
        holds = std::max(holds, child->holds_tracked() ? contents(*child, path)
                                                       : untracked_child(node, *child, path));
      }
      path.resize(length);
    }
    node.find_nothing_to_list();
    return holds;
  }

  // Files and ignored directories directly in `node`.
  Holds others(const DirectoryNode& node, std::string& path) {
    Holds holds = Holds::kNothing;
    const size_t length = path.size();
    for (const Other& other : node.others()) {
      path.append(other.name);
      Holds found = Holds::kNothing;
      switch (other.kind) {
        case OtherKind::kFile:
          if (!limit_.has_file(path)) break;
          add_untracked(path);
          found = Holds::kUntracked;
          break;
        case OtherKind::kIgnoredFile:
          if (!limit_.has_file(path)) break;
          add_ignored(path);
          found = Holds::kIgnored;
          break;
        case OtherKind::kIgnoredDirectory:
          if (!limit_.may_be_at_or_below(path)) break;
          path.push_back('/');
          found = ignored_directory(path, !has_entry(index_, node, other.name));
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
    const PathspecMatch match = limit_.directory(path);
    if (match == PathspecMatch::kNone) return Holds::kNothing;
    const bool listable = !has_entry(index_, parent, node.name);
    if (node.nested_repository()) {
      if (match == PathspecMatch::kLeading) return Holds::kNothing;
      if (listable) add_untracked(path);
      return Holds::kUntracked;
    }
    if (!collapses() || match == PathspecMatch::kLeading) return contents(node, path);
    const size_t untracked_before = lists_.untracked.size();
    const size_t ignored_before = lists_.ignored.size();
    Holds holds = contents(node, path);
    lists_.untracked.resize(untracked_before);
    if (holds == Holds::kUntracked) {
      if (listable) add_untracked(path);
    } else if (holds == Holds::kIgnored && request_.ignored == IgnoredMode::kMatching) {
      // What is ignored stays listed one by one, instead of the directory.
      holds = Holds::kNothing;
    } else if (holds == Holds::kIgnored) {
      lists_.ignored.resize(ignored_before);
      if (listable) add_ignored(path);
    }
    return holds;
  }

  // A directory that a pattern ignores. It can hold nothing but ignored paths.
  Holds ignored_directory(std::string& path, bool listable) {
    if (!wants_ignored()) return Holds::kIgnored;
    const bool recurse = request_.ignored == IgnoredMode::kTraditional;
    const std::string absolute = root_ + "/" + path.substr(0, path.size() - 1);
    if (!recurse || is_nested_repository(fs_, absolute)) {
      if (listable) add_ignored(path);
      return Holds::kIgnored;
    }
    const bool found = ignored_contents(fs_.open_directory(absolute), path);
    if (collapses() && found && listable) add_ignored(path);
    return found ? Holds::kIgnored : Holds::kNothing;
  }

  // Where directories are collapsed, git asks about the ignored one on its way to where its walk
  // begins, and else from there on.
  bool goes_into_ignored(const std::string& path) const {
    return collapses() ? limit_.may_be_ignored_at_or_below(path) : limit_.may_be_at_or_below(path);
  }

  // Is there any file below? Lists each one where directories are not collapsed; else stops at the
  // first, unless it is to go as far as git.
  bool ignored_contents(Result<Directory> directory, std::string& path) {
    DirectoryListing listing;
    if (!directory.ok() || !fs_.list(*directory, listing).ok()) {
      record_unreadable(path);
      return false;
    }
    const size_t length = path.size();
    bool found = false;
    const bool stops = collapses() && !request_.everywhere;
    for (size_t i = 0; i < listing.size() && !(found && stops); ++i) {
      auto [name, kind] = listing[i];
      if (is_dot_git(name, request_.ignore_case)) continue;
      if (kind == FileKind::kUnknown) {
        Result<FileStat> stat = fs_.stat_at(*directory, name);
        if (!stat.ok()) continue;
        kind = stat->kind;
      }
      path.append(name);
      if (kind == FileKind::kRegular || kind == FileKind::kSymlink) {
        if (limit_.has_file(path)) {
          found = true;
          if (!collapses()) add_ignored(path);
        }
      } else if (kind == FileKind::kDirectory && goes_into_ignored(path)) {
        path.push_back('/');
        if (is_nested_repository(fs_, root_ + "/" + path.substr(0, path.size() - 1))) {
          found = true;
          if (!collapses()) add_ignored(path);
        } else {
          found |= ignored_contents(fs_.open_directory_at(*directory, name), path);
        }
      }
      path.resize(length);
    }
    return found;
  }

  FileSystem& fs_;
  const std::string& root_;
  const Index& index_;
  const UntrackedRequest& request_;
  const PathLimit& limit_;
  UntrackedLists lists_;
  std::string passed_by_git_;  // a directory that git goes past without reading it
};

}  // namespace

Result<UntrackedLists> untracked_view(FileSystem& fs, const std::string& root, const Index& index,
                                      const DirectoryNode& top, const UntrackedRequest& request) {
  if (request.untracked == UntrackedMode::kNo) return UntrackedLists{};
  return View(fs, root, index, request).take(top);
}

}  // namespace resident
