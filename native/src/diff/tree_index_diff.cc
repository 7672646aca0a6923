#include "diff/tree_index_diff.h"

#include <deque>
#include <string_view>

#include "index/path_order.h"
#include "object/tree.h"

namespace resident {
namespace {

// No path of PATH_MAX bytes has more components.
constexpr size_t kMaxDepth = 2048;

// Both cursors iterate over the names in one directory of their side. A cursor is at a name or is
// done(). A directory that is missing on that side has no names.

class TreeCursor {
 public:
  TreeCursor(std::string_view content, HashAlgorithm algorithm) : iterator_(content, algorithm) {}

  // kUnsupported: the names are out of order. Some programs wrote such trees, and only git can
  // interpret them.
  Result<void> step() {
    const std::string_view last = iterator_.entry().name;
    const bool last_is_directory = iterator_.entry().is_tree();
    RESIDENT_TRY(bool more, iterator_.next());
    done_ = !more;
    if (more && !last.empty() &&
        compare_names(last, last_is_directory, name(), is_directory()) >= 0) {
      return Error{ErrorCode::kUnsupported, std::string(name()) + ": out of order"};
    }
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

// The entries and child directories of an index directory, merged in one order.
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

  // Moves to the next name. An unmerged path has several entries.
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

  Result<TreeIndexDiff> run(const std::optional<ObjectId>& tree);

 private:
  // A directory that is being walked.
  struct Level {
    Level(std::optional<ObjectId> tree_id, std::string tree_content, const Index& index,
          uint32_t directory, size_t outer)
        : id(std::move(tree_id)),
          content(std::move(tree_content)),
          tree(content, index.algorithm()),
          entries(index, directory),
          outer_prefix(outer) {}
    Result<void> step_tree();

    std::optional<ObjectId> id;  // id of the tree; unset: no tree
    std::string content;
    TreeCursor tree;
    IndexCursor entries;
    size_t outer_prefix;  // length of the parent directory's path
  };

  // Starts the directory prefix_ unless both sides are known to be equal. At least one side has it.
  // The root comes first and is never skipped.
  Result<void> enter(const std::optional<ObjectId>& tree, uint32_t directory, size_t outer_prefix);
  Result<void> step(Level& level);
  bool is_same(const ObjectId& tree, uint32_t directory) const;
  // `tree` or `entries` is null if only the other side has the name.
  void compare_file(const TreeCursor* tree, const IndexCursor* entries);
  Side absent() const { return {0, ObjectId::null(index_.algorithm())}; }

  const Index& index_;
  const TreeReader& read_tree_;
  const TreeIndexDiffOptions& options_;
  // An explicit stack, because the input decides the depth. A deque does not move levels when it
  // grows.
  std::deque<Level> levels_;
  std::string prefix_;  // ends in a slash; empty for the root
  TreeIndexDiff diff_;
};

Result<void> Differ::Level::step_tree() {
  Result<void> stepped = tree.step();
  if (stepped.ok() || !id) return stepped;
  return Error{stepped.error().code, "tree " + id->hex() + ": " + stepped.error().message};
}

bool Differ::is_same(const ObjectId& tree, uint32_t directory) const {
  if (directory == kNoDirectory) return false;
  if (index_.sparse_tree(directory) == tree) return true;
  uint32_t position = index_.directories()[directory].cache_tree;
  if (position == CacheTree::kNoNode) return false;
  const CacheTree& cache_tree = *index_.cache_tree();
  const CacheTree::Node& node = cache_tree.nodes()[position];
  return node.valid() && cache_tree.id(node) == tree;
}

Result<TreeIndexDiff> Differ::run(const std::optional<ObjectId>& tree) {
  RESIDENT_CHECK(enter(tree, 0, 0));
  while (!levels_.empty()) {
    Level& level = levels_.back();
    if (!level.tree.done() || !level.entries.done()) {
      RESIDENT_CHECK(step(level));
      continue;
    }
    prefix_.resize(level.outer_prefix);
    levels_.pop_back();
  }
  return std::move(diff_);
}

Result<void> Differ::enter(const std::optional<ObjectId>& tree, uint32_t directory,
                           size_t outer_prefix) {
  std::string content;
  if (directory != kNoDirectory) {
    if (auto sparse = index_.sparse_tree(directory); sparse && sparse != tree) {
      diff_.differing_sparse.push_back(directory);
      prefix_.resize(outer_prefix);
      return {};
    }
  }
  if (tree && !levels_.empty() && is_same(*tree, directory)) {
    ++diff_.work.subtrees_skipped;
    prefix_.resize(outer_prefix);
    return {};
  }
  if (levels_.size() == kMaxDepth) {
    return Error{ErrorCode::kUnsupported, prefix_ + ": nested too deeply"};
  }
  if (tree) {
    RESIDENT_TRY(content, read_tree_(*tree));
    ++diff_.work.trees_read;
  }
  return levels_.emplace_back(tree, std::move(content), index_, directory, outer_prefix)
      .step_tree();
}

Result<void> Differ::step(Level& level) {
  TreeCursor& tree = level.tree;
  IndexCursor& entries = level.entries;
  std::strong_ordering order = std::strong_ordering::equal;
  if (tree.done()) {
    order = std::strong_ordering::greater;
  } else if (entries.done()) {
    order = std::strong_ordering::less;
  } else {
    order = compare_names(tree.name(), tree.is_directory(), entries.name(), entries.is_directory());
  }
  const bool in_tree = order <= 0;
  const bool in_index = order >= 0;
  const bool is_directory = in_tree ? tree.is_directory() : entries.is_directory();
  std::optional<ObjectId> child_tree;
  uint32_t child_directory = kNoDirectory;
  const size_t outer_prefix = prefix_.size();
  if (is_directory) {
    if (in_tree) child_tree = tree.id();
    if (in_index) child_directory = entries.directory();
    prefix_.append(in_tree ? tree.name() : entries.name()) += '/';
  } else {
    compare_file(in_tree ? &tree : nullptr, in_index ? &entries : nullptr);
  }
  if (in_index) entries.step();
  if (in_tree) RESIDENT_CHECK(level.step_tree());
  if (is_directory) RESIDENT_CHECK(enter(child_tree, child_directory, outer_prefix));
  return {};
}

void Differ::compare_file(const TreeCursor* tree, const IndexCursor* entries) {
  std::string path = prefix_;
  path += tree ? tree->name() : entries->name();
  Side before = tree ? tree->side() : absent();
  if (entries && entries->entry().stage() != 0) {
    diff_.unmerged.push_back({std::move(path), before, absent()});
    return;
  }
  Side after = entries ? entries->side() : absent();
  Change change = change_between(before, after);
  if (change == Change::kNone) return;
  auto absent_or_submodule = [](const Side& side) {
    return side.mode == 0 || side.mode == kModeGitlink;
  };
  if (options_.ignore_submodules && absent_or_submodule(before) && absent_or_submodule(after)) {
    return;
  }
  diff_.changes.push_back({std::move(path), change, before, after, {}, 0});
}

}  // namespace

Result<TreeIndexDiff> diff_tree_index(const std::optional<ObjectId>& tree, const Index& index,
                                      const TreeReader& read_tree,
                                      const TreeIndexDiffOptions& options) {
  return Differ(index, read_tree, options).run(tree);
}

}  // namespace resident
