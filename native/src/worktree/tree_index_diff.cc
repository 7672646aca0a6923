#include "worktree/tree_index_diff.h"

#include <string_view>

#include "index/path_order.h"
#include "object/tree.h"

namespace resident {
namespace {

// A path of PATH_MAX bytes has no more components.
constexpr int kMaxDepth = 2048;

// Both cursors step through one directory of their side name by name: they stand on a name or are
// done(). A directory that does not exist on that side has no names.

class TreeCursor {
 public:
  TreeCursor(std::string_view content, HashAlgorithm algorithm) : iterator_(content, algorithm) {}

  Result<void> step() {
    RESIDENT_TRY(bool more, iterator_.next());
    done_ = !more;
    return {};
  }
  bool done() const { return done_; }
  std::string_view name() const { return iterator_.entry().name; }
  bool is_directory() const { return iterator_.entry().is_tree(); }
  const ObjectId& id() const { return iterator_.entry().id; }
  Side side() const { return {iterator_.entry().mode, iterator_.entry().id}; }

 private:
  TreeIterator iterator_;
  bool done_ = false;
};

// The entries and the child directories of an index directory in one order.
class IndexCursor {
 public:
  IndexCursor(const Index& index, uint32_t directory) : index_(index) {
    if (directory == kNoDirectory) return;
    const IndexDirectory& d = index.directories()[directory];
    entry_ = d.first_entry;
    entries_end_ = d.first_entry + d.entry_count;
    child_ = directory + 1;
    children_end_ = d.subtree_end;
    choose();
  }

  // To the next name: an unmerged path has several entries.
  void step() {
    if (is_directory_) {
      child_ = index_.directories()[child_].subtree_end;
    } else {
      entry_ += entry_count_;
    }
    choose();
  }
  bool done() const { return entry_ == entries_end_ && child_ >= children_end_; }
  std::string_view name() const {
    return is_directory_ ? index_.directory_name(child_) : index_.name(entry());
  }
  bool is_directory() const { return is_directory_; }
  uint32_t directory() const { return child_; }
  const IndexEntry& entry() const { return index_.entries()[entry_]; }
  Side side() const {
    if (entry().intent_to_add()) return {0, ObjectId::null(index_.algorithm())};
    return {entry().mode, index_.id(entry_)};
  }

 private:
  void choose() {
    bool has_child = child_ < children_end_;
    entry_count_ = 0;
    if (entry_ < entries_end_) {
      std::string_view name = index_.name(entry());
      is_directory_ =
          has_child && compare_names(index_.directory_name(child_), true, name, false) < 0;
      do ++entry_count_;
      while (entry_ + entry_count_ < entries_end_ &&
             index_.name(index_.entries()[entry_ + entry_count_]) == name);
    } else {
      is_directory_ = has_child;
    }
  }

  const Index& index_;
  uint32_t entry_ = 0;
  uint32_t entries_end_ = 0;
  uint32_t entry_count_ = 0;
  uint32_t child_ = 0;
  uint32_t children_end_ = 0;
  bool is_directory_ = false;
};

class Differ {
 public:
  Differ(const Index& index, const TreeReader& read_tree, const TreeIndexDiffOptions& options)
      : index_(index), read_tree_(read_tree), options_(options) {}

  // Either side may be absent, not both.
  Result<void> directory(const ObjectId* tree, uint32_t directory);
  TreeIndexDiff take() { return std::move(diff_); }

 private:
  bool is_same(const ObjectId& tree, uint32_t directory) const;
  Result<void> walk(const ObjectId* id, TreeCursor& tree, IndexCursor& entries);
  // The next name of a tree; an error that says which tree.
  static Result<void> step(const ObjectId* id, TreeCursor& tree);
  Result<void> descend(std::string_view name, const ObjectId* tree, uint32_t directory);
  // `tree` or `entries` is null where only the other side has the name.
  void file(std::string_view name, const TreeCursor* tree, const IndexCursor* entries);
  Side absent() const { return {0, ObjectId::null(index_.algorithm())}; }

  const Index& index_;
  const TreeReader& read_tree_;
  const TreeIndexDiffOptions& options_;
  std::string
      prefix_;  // path of the current directory, with a slash at its end unless it is the root
  int depth_ = 0;
  TreeIndexDiff diff_;
};

bool Differ::is_same(const ObjectId& tree, uint32_t directory) const {
  if (directory == kNoDirectory) return false;
  uint32_t position = index_.directories()[directory].cache_tree;
  if (position == CacheTree::kNoNode) return false;
  const CacheTree& cache_tree = *index_.cache_tree();
  const CacheTree::Node& node = cache_tree.nodes()[position];
  return node.valid() && cache_tree.id(node) == tree;
}

Result<void> Differ::directory(const ObjectId* tree, uint32_t directory) {
  std::string content;
  if (tree) {
    if (is_same(*tree, directory)) {
      ++diff_.work.subtrees_skipped;
      return {};
    }
    RESIDENT_TRY(content, read_tree_(*tree));
    ++diff_.work.trees_read;
  }
  TreeCursor names(content, index_.algorithm());
  IndexCursor entries(index_, directory);
  return walk(tree, names, entries);
}

Result<void> Differ::step(const ObjectId* id, TreeCursor& tree) {
  Result<void> stepped = tree.step();
  if (stepped.ok() || !id) return stepped;
  return Error{stepped.error().code, "tree " + id->hex() + ": " + stepped.error().message};
}

Result<void> Differ::walk(const ObjectId* id, TreeCursor& tree, IndexCursor& entries) {
  RESIDENT_CHECK(step(id, tree));
  while (!tree.done() || !entries.done()) {
    std::strong_ordering order = std::strong_ordering::equal;
    if (tree.done()) {
      order = std::strong_ordering::greater;
    } else if (entries.done()) {
      order = std::strong_ordering::less;
    } else {
      order =
          compare_names(tree.name(), tree.is_directory(), entries.name(), entries.is_directory());
    }
    const bool in_tree = order <= 0;
    const bool in_index = order >= 0;
    if (in_tree ? tree.is_directory() : entries.is_directory()) {
      RESIDENT_CHECK(descend(in_tree ? tree.name() : entries.name(), in_tree ? &tree.id() : nullptr,
                             in_index ? entries.directory() : kNoDirectory));
    } else {
      file(in_tree ? tree.name() : entries.name(), in_tree ? &tree : nullptr,
           in_index ? &entries : nullptr);
    }
    if (in_index) entries.step();
    if (in_tree) RESIDENT_CHECK(step(id, tree));
  }
  return {};
}

Result<void> Differ::descend(std::string_view name, const ObjectId* tree, uint32_t directory_) {
  if (depth_ == kMaxDepth) {
    return Error{ErrorCode::kUnsupported, prefix_ + ": nested too deeply"};
  }
  const size_t length = prefix_.size();
  prefix_.append(name) += '/';
  ++depth_;
  RESIDENT_CHECK(directory(tree, directory_));
  --depth_;
  prefix_.resize(length);
  return {};
}

void Differ::file(std::string_view name, const TreeCursor* tree, const IndexCursor* entries) {
  Side before = tree ? tree->side() : absent();
  if (entries && entries->entry().stage() != 0) {
    diff_.unmerged.push_back({prefix_ + std::string(name), before, absent()});
    return;
  }
  Side after = entries ? entries->side() : absent();
  Change change = change_between(before, after);
  if (change == Change::kNone) return;
  if (options_.ignore_submodules && (before.mode == kModeGitlink || before.mode == 0) &&
      (after.mode == kModeGitlink || after.mode == 0)) {
    return;
  }
  diff_.changes.push_back({prefix_ + std::string(name), change, before, after, {}, 0});
}

}  // namespace

Result<TreeIndexDiff> diff_tree_index(const std::optional<ObjectId>& tree, const Index& index,
                                      const TreeReader& read_tree,
                                      const TreeIndexDiffOptions& options) {
  Differ differ(index, read_tree, options);
  RESIDENT_CHECK(differ.directory(tree ? &*tree : nullptr, 0));
  return differ.take();
}

}  // namespace resident
