#include "diff/tree_index_diff.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "diff/diff_test_support.h"
#include "diff/sparse_directories.h"

namespace resident {
namespace {

TEST(TreeIndexDiff, UnbornBranchAddsEverything) {
  DiffRepository repo;
  repo.set_index(repo.made_up("100644", 'a') + "\tb\n" + repo.made_up("120000", 'b') + "\ta/x\n" +
                 repo.made_up("100644", 'c') + " 2\tc\n");
  auto diff = diff_tree_index(std::nullopt, *repo.index(), repo.tree_reader());
  ASSERT_TRUE(diff.ok());
  ASSERT_EQ(diff->changes.size(), 2u);
  EXPECT_EQ(diff->changes[0].path, "a/x");
  EXPECT_EQ(diff->changes[0].change, Change::kAdded);
  EXPECT_EQ(diff->changes[0].after.mode, 0120000u);
  EXPECT_EQ(diff->changes[0].before.mode, 0u);
  ASSERT_EQ(diff->unmerged.size(), 1u);
  EXPECT_EQ(diff->unmerged[0].path, "c");
  EXPECT_EQ(diff->work.trees_read, 0u);
}

TEST(TreeIndexDiff, EveryKindOfChange) {
  for (HashAlgorithm algorithm : {HashAlgorithm::kSha1, HashAlgorithm::kSha256}) {
    DiffRepository repo(algorithm);
    auto entry = [&](const char* mode, char fill, const char* path) {
      return repo.made_up(mode, fill) + "\t" + path + "\n";
    };
    repo.set_index(entry("100644", '1', "same") + entry("100644", '1', "content") +
                   entry("100644", '1', "mode") + entry("100644", '1', "to-link") +
                   entry("100644", '1', "gone") + entry("160000", '1', "module") +
                   entry("160000", '2', "module-gone") + entry("160000", '3', "module-file") +
                   entry("100644", '1', "dir/a") + entry("100644", '1', "dir/b/c") +
                   entry("100644", '1', "dir-to-file/x") + entry("100644", '1', "file-to-dir") +
                   entry("100644", '1', "gone-dir/x/y") + entry("100644", '1', "a-b") +
                   entry("100644", '1', "a/x") + entry("100644", '1', "a.c"));
    repo.commit_index();
    repo.set_index(entry("100644", '1', "same") + entry("100644", '2', "content") +
                   entry("100755", '1', "mode") + entry("120000", '1', "to-link") +
                   entry("160000", '4', "module") + entry("100644", '3', "module-file") +
                   entry("160000", '5', "module-new") + entry("100644", '1', "dir/a") +
                   entry("100644", '9', "dir/b/c") + entry("100644", '1', "dir-to-file") +
                   entry("100644", '1', "file-to-dir/x") + entry("100644", '1', "new-dir/x/y") +
                   entry("100644", '1', "a0") + entry("100644", '1', "a") +
                   entry("100644", '1', "a.c"));
    EXPECT_EQ(repo.ours(), repo.gits());
    EXPECT_GT(repo.ours().size(), 15u);
  }
}

TEST(TreeIndexDiff, ATreeOutOfOrderIsForGit) {
  DiffRepository repo;
  repo.set_index(repo.made_up("100644", 'a') + "\tb\n");
  const std::string id(20, 'x');
  const std::string a = std::string("100644 a") + '\0' + id;
  const std::string b = std::string("100644 b") + '\0' + id;
  const std::string b_below = std::string("40000 b") + '\0' + id;
  auto diff = [&](const std::string& content) {
    return diff_tree_index(ObjectId::null(HashAlgorithm::kSha1), *repo.index(),
                           [&](const ObjectId&) -> Result<std::string> { return content; });
  };
  EXPECT_TRUE(diff(a + b).ok());
  for (const std::string& content : {b + a, a + a, b_below + b}) {
    auto refused = diff(content);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  }
}

TEST(TreeIndexDiff, UnmergedPathsAreNoChanges) {
  DiffRepository repo;
  auto entry = [&](char fill, int stage, const char* path) {
    return repo.made_up("100644", fill) + " " + std::to_string(stage) + "\t" + path + "\n";
  };
  repo.set_index(entry('1', 0, "both") + entry('1', 0, "a/deleted") + entry('1', 0, "clash") +
                 entry('1', 0, "tree/x") + entry('1', 0, "z"));
  repo.commit_index();
  repo.set_index(entry('1', 1, "both") + entry('2', 2, "both") + entry('3', 3, "both") +
                 entry('1', 1, "a/deleted") + entry('2', 3, "added") + entry('1', 2, "clash") +
                 entry('1', 3, "clash/inner") + entry('1', 2, "tree") + entry('1', 0, "tree/x") +
                 entry('2', 0, "z"));
  EXPECT_EQ(repo.ours(), repo.gits());
  TreeIndexDiff diff;
  repo.ours(&diff);
  EXPECT_EQ(diff.unmerged.size(), 6u);
  EXPECT_EQ(diff.changes.size(), 1u);
}

TEST(TreeIndexDiff, IntentToAddIsAbsent) {
  DiffRepository repo;
  repo.write("tracked", "1");
  repo.write("kept", "1");
  repo.git({"add", "."});
  repo.git({"commit", "-qm", "1"});
  repo.git({"rm", "-q", "--cached", "tracked"});
  repo.write("new", "2");
  repo.git({"add", "-N", "tracked", "new"});
  TreeIndexDiff diff;
  EXPECT_EQ(repo.ours(&diff), repo.gits());
  ASSERT_EQ(diff.changes.size(), 1u);
  EXPECT_EQ(diff.changes[0].path, "tracked");
  EXPECT_EQ(diff.changes[0].change, Change::kDeleted);
}

TEST(TreeIndexDiff, SubmodulesCanBeIgnored) {
  DiffRepository repo;
  repo.set_index(repo.made_up("160000", '1') + "\tchanged\n" + repo.made_up("160000", '1') +
                 "\tgone\n" + repo.made_up("160000", '1') + "\tto-file\n");
  repo.commit_index();
  repo.set_index(repo.made_up("160000", '2') + "\tchanged\n" + repo.made_up("160000", '2') +
                 "\tnew\n" + repo.made_up("100644", '1') + "\tto-file\n");
  auto diff = diff_tree_index(repo.id("HEAD^{tree}"), *repo.index(), repo.tree_reader(), {true});
  ASSERT_TRUE(diff.ok());
  RawDiff lines;
  for (const PathChange& change : diff->changes) lines.push_back(raw_line(change));
  EXPECT_EQ(lines, repo.gits({"--no-renames", "--ignore-submodules=all"}));
  EXPECT_EQ(repo.ours(), repo.gits());
}

TEST(TreeIndexDiff, CacheTreeEndsTheComparisonEarly) {
  DiffRepository repo;
  for (const char* path : {"a/b/c/d", "a/e/f", "g/h/i", "j"}) repo.write(path, path);
  repo.git({"add", "."});
  repo.git({"commit", "-qm", "1"});
  TreeIndexDiff diff;
  EXPECT_TRUE(repo.ours(&diff).empty());
  EXPECT_EQ(diff.work.trees_read, 1u);
  EXPECT_EQ(diff.work.subtrees_skipped, 2u);  // a, g

  repo.write("a/b/x", "new");
  repo.git({"add", "a/b/x"});
  EXPECT_EQ(repo.ours(&diff), repo.gits());
  EXPECT_EQ(diff.work.trees_read, 3u);        // "", a, a/b
  EXPECT_EQ(diff.work.subtrees_skipped, 3u);  // a/b/c, a/e, g
}

TEST(TreeIndexDiff, UnreadableTreesAreErrors) {
  DiffRepository repo;
  repo.set_index(repo.made_up("100644", '1') + "\ta/b\n");
  auto missing =
      diff_tree_index(ObjectId::from_hex(std::string(40, 'd')), *repo.index(), repo.tree_reader());
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);

  ObjectId id = *ObjectId::from_hex(std::string(40, 'd'));
  for (const char* content : {"100644", "100644 name", "100644 \0", "x", "40000 d\0short"}) {
    auto malformed =
        diff_tree_index(id, *repo.index(), [&](const ObjectId&) { return std::string(content); });
    ASSERT_FALSE(malformed.ok());
    EXPECT_EQ(malformed.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(malformed.error().message.find(id.hex()), std::string::npos);
  }
  // A tree that contains itself.
  std::string endless = std::string("40000 d") + '\0' + std::string(20, '\xdd');
  auto deep = diff_tree_index(id, *repo.index(), [&](const ObjectId&) { return endless; });
  ASSERT_FALSE(deep.ok());
  EXPECT_EQ(deep.error().code, ErrorCode::kUnsupported);
}

TEST(TreeIndexDiff, SparseDirectoriesAreExpandedWhereTheyDiffer) {
  DiffRepository repo;
  for (const char* path : {"in/a", "out/b", "out/deep/c", "out/deep/er/d", "same/e"}) {
    repo.write(path, path);
  }
  repo.git({"add", "-A"});
  repo.git({"commit", "-qm", "1"});
  repo.write("out/deep/er/d", "2");
  repo.git({"commit", "-qam", "2"});
  repo.git({"sparse-checkout", "set", "--cone", "--sparse-index", "in"});
  auto index = repo.index();
  ASSERT_EQ(index->sparse_directories().size(), 2u);
  auto equal = diff_tree_index(repo.id("HEAD^{tree}"), *index, repo.tree_reader());
  ASSERT_TRUE(equal.ok());
  EXPECT_TRUE(equal->changes.empty() && equal->differing_sparse.empty());

  auto compare = [&] {
    return diff_tree_index(repo.id("HEAD~1^{tree}"), *index, repo.tree_reader());
  };
  auto diff = compare();
  for (const char* expected : {"out", "out/deep", "out/deep/er"}) {
    ASSERT_TRUE(diff.ok());
    EXPECT_TRUE(diff->changes.empty());
    ASSERT_EQ(diff->differing_sparse.size(), 1u);
    EXPECT_EQ(index->directory_path(diff->differing_sparse[0]), expected);
    auto expanded = expand_from_trees(*index, diff->differing_sparse, repo.tree_reader());
    ASSERT_TRUE(expanded.ok()) << expanded.error().message;
    index = *expanded;
    diff = compare();
  }
  ASSERT_TRUE(diff.ok());
  EXPECT_TRUE(diff->differing_sparse.empty());
  ASSERT_EQ(diff->changes.size(), 1u);
  EXPECT_EQ(diff->changes[0].path, "out/deep/er/d");
  // An equal sparse directory is not expanded.
  EXPECT_TRUE(index->sparse_tree(*index->find_directory("same")));

  auto unborn = diff_tree_index(std::nullopt, *index, repo.tree_reader());
  ASSERT_TRUE(unborn.ok());
  EXPECT_EQ(unborn->differing_sparse.size(), 1u);
}

TEST(TreeIndexDiff, ASparseDirectoryWhoseTreeIsMissing) {
  DiffRepository repo;
  repo.write("out/a", "");
  repo.git({"add", "-A"});
  repo.git({"commit", "-qm", "1"});
  repo.git({"sparse-checkout", "set", "--cone", "--sparse-index"});
  auto index = repo.index();
  const auto sparse = index->sparse_directories();
  ASSERT_EQ(sparse.size(), 1u);
  auto missing = [](const ObjectId&) -> Result<std::string> {
    return Error{ErrorCode::kNotFound, "gone"};
  };
  auto expanded = expand_from_trees(*index, sparse, missing);
  ASSERT_FALSE(expanded.ok());
  EXPECT_EQ(expanded.error().code, ErrorCode::kNotFound);
  auto garbage = [](const ObjectId&) -> Result<std::string> { return std::string("garbage"); };
  expanded = expand_from_trees(*index, sparse, garbage);
  ASSERT_FALSE(expanded.ok());
  EXPECT_EQ(expanded.error().code, ErrorCode::kCorrupt);
}

TEST(TreeIndexDiff, TheCacheTreesRootIsNotBelieved) {
  DiffRepository repo;
  repo.set_index(repo.made_up("160000", '1') + "\tsub\n");
  repo.commit_index();
  repo.git({"commit", "-q", "--allow-empty", "-m", "2"});
  repo.set_index(repo.made_up("160000", '2') + "\tsub\n");
  repo.try_git({"rebase", "-q", "--exec", "false", "HEAD~1"});
  const auto index = repo.index();
  ASSERT_TRUE(index->cache_tree());
  EXPECT_EQ(index->cache_tree()->id(index->cache_tree()->nodes()[0]), repo.id("HEAD^{tree}"));
  EXPECT_EQ(repo.gits().size(), 1u);
  EXPECT_EQ(repo.ours(), repo.gits());
}

// Random trees with few names: files, directories and their neighbours in git's order then
// conflict.
class RandomTrees {
 public:
  RandomTrees(DiffRepository& repo, uint32_t seed) : repo_(repo), random_(seed) {}

  std::string index_info(bool with_conflicts) {
    std::map<std::string, std::string> files;
    size_t count = pick(25);
    for (size_t i = 0; i < count; ++i) {
      std::string path = names_[pick(names_.size())];
      while (pick(3) != 0) path += "/" + names_[pick(names_.size())];
      files[path] = path;
    }
    std::string info;
    std::string previous;
    for (auto& [path, unused] : files) {
      // git drops a file if a path below it is added.
      std::string below = path + "/";
      auto next = files.lower_bound(below);
      if (next != files.end() && next->first.starts_with(below)) continue;
      if (with_conflicts && pick(8) == 0) {
        for (int stage = 1; stage <= 3; ++stage) {
          if (pick(2) != 0) info += blob() + " " + std::to_string(stage) + "\t" + path + "\n";
        }
      } else {
        info += blob() + "\t" + path + "\n";
      }
    }
    return info;
  }

 private:
  size_t pick(size_t bound) { return random_() % bound; }
  std::string blob() {
    static constexpr const char* kModes[] = {"100644", "100644", "100644",
                                             "100755", "120000", "160000"};
    return repo_.made_up(kModes[pick(6)], "123"[pick(3)]);
  }

  DiffRepository& repo_;
  std::mt19937 random_;
  std::vector<std::string> names_ = {"a",  "b", "a-", "a.c", "a0",
                                     "ab", "A", "z",  "a b", "\xc3\xa9"};
};

TEST(TreeIndexDiff, RandomTreesEqualGit) {
  DiffRepository repo;
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    RandomTrees random(repo, seed);
    repo.set_index(random.index_info(false));
    repo.commit_index();
    repo.set_index(random.index_info(true));
    EXPECT_EQ(repo.ours(), repo.gits()) << "seed " << seed;
    // Starts with the committed index. Its cache-tree stays partly valid, so subtrees are skipped.
    repo.git({"read-tree", "HEAD"});
    repo.git({"update-index", "--add", "--replace", "--index-info"}, random.index_info(false));
    EXPECT_EQ(repo.ours(), repo.gits()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace resident
