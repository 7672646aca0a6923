// Compares our renames and copies with git's, in handmade trees.
#include "diff/renames.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "diff/rename_test_support.h"

namespace resident {
namespace {

int count(const RenameResult& result, Change kind) {
  return static_cast<int>(
      std::count_if(result.changes.begin(), result.changes.end(),
                    [kind](const PathChange& change) { return change.change == kind; }));
}

TEST(Renames, Off) {
  RenameRepository repo;
  repo.write("a", "1\n");
  repo.commit();
  repo.rename("a", "b");
  repo.add_all();
  RenameOptions options;
  options.mode = RenameMode::kOff;
  EXPECT_EQ(repo.raw(repo.detect(options)), repo.gits({"--no-renames"}));
}

TEST(Renames, IdenticalContentReadsNothing) {
  for (HashAlgorithm algorithm : {HashAlgorithm::kSha1, HashAlgorithm::kSha256}) {
    RenameRepository repo(algorithm);
    repo.write("a", lines(0, 10));
    repo.write("empty", "");
    repo.commit();
    repo.rename("a", "dir/b");
    repo.rename("empty", "hollow");
    repo.add_all();
    repo.expect_equals_git();
    RenameResult result = repo.detect({});
    EXPECT_EQ(count(result, Change::kRenamed), 2);
    EXPECT_EQ(result.changes[0].from, "a");
    EXPECT_EQ(result.changes[0].percent(), 100);
    EXPECT_EQ(result.work.contents_read, 0u);
  }
}

TEST(Renames, BasenameDecidesAmongIdenticalSources) {
  RenameRepository repo;
  for (const char* path : {"x/one", "x/two", "y/one", "y/three"}) repo.write(path, lines(0, 5));
  repo.commit();
  for (const char* path : {"x/one", "x/two", "y/one", "y/three"}) repo.remove(path);
  for (const char* path : {"z/three", "z/two", "z/new", "z/a"}) repo.write(path, lines(0, 5));
  repo.add_all();
  repo.expect_equals_git();
}

TEST(Renames, OneSourceForSeveralDestinations) {
  RenameRepository repo;
  repo.write("a", lines(0, 50));
  repo.commit();
  repo.remove("a");
  for (const char* path : {"b", "c", "d"}) repo.write(path, lines(0, 50));
  repo.write("e", lines(0, 48));
  repo.write("f", lines(0, 40));
  repo.add_all();
  repo.expect_equals_git();
  RenameOptions options;
  options.mode = RenameMode::kCopies;
  EXPECT_EQ(count(repo.detect(options), Change::kCopied), 4);
}

TEST(Renames, CopiesComeFromChangedFilesOnly) {
  RenameRepository repo;
  repo.write("changed", lines(0, 50));
  repo.write("unchanged", lines(100, 150));
  repo.write("mode", lines(200, 250));
  repo.commit();
  repo.write("changed", lines(0, 49));
  repo.git({"update-index", "--chmod=+x", "mode"});
  ::chmod((repo.work() + "/mode").c_str(), 0755);
  repo.write("changed-copy", lines(0, 50));
  repo.write("changed-inexact", lines(0, 45));
  repo.write("mode-copy", lines(200, 250));
  repo.write("unchanged-copy", lines(100, 150));
  repo.add_all();
  repo.expect_equals_git();
}

TEST(Renames, UniqueBasenamesGoFirst) {
  RenameRepository repo;
  repo.write("old/Makefile", lines(0, 100));
  repo.write("old/other", lines(0, 98));
  repo.commit();
  repo.remove("old/Makefile");
  repo.remove("old/other");
  repo.write("new/Makefile", lines(0, 80));  // 80%: above the middle between minimum and identity
  repo.write("new/better", lines(0, 99));
  repo.add_all();
  repo.expect_equals_git();
}

TEST(Renames, OfManyIdenticalSourcesOnlySomeAreWeighed) {
  RenameRepository repo;
  std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, lines(0, 3));
  std::string before;
  std::string after;
  for (int i = 100; i < 400; ++i) {
    before += "100644 " + blob + "\told/f" + std::to_string(i) + "\n";
    // The first destination finds no source with its name among the first hundred sources.
    after += "100644 " + blob + "\tnew/f" + std::to_string(499 - i) + "\n";
    if (i % 3 == 0) after += "100644 " + blob + "\tnew/g" + std::to_string(i) + "\n";
  }
  repo.set_index(before);
  repo.commit_index();
  repo.set_index(after);
  repo.expect_equals_git();
}

TEST(Renames, TypesDoNotMix) {
  RenameRepository repo;
  repo.write("file", "target");
  std::filesystem::create_symlink("target", repo.work() + "/link");
  std::filesystem::create_symlink("target-that-is-long-enough", repo.work() + "/link2");
  repo.commit();
  repo.remove("file");
  repo.remove("link");
  repo.remove("link2");
  std::filesystem::create_symlink("target", repo.work() + "/new-link");
  std::filesystem::create_symlink("target-that-is-long-enougH", repo.work() + "/new-link2");
  repo.write("run", "target");
  ::chmod((repo.work() + "/run").c_str(), 0755);
  repo.add_all();
  repo.expect_equals_git();
}

TEST(Renames, Submodules) {
  RenameRepository repo;
  repo.set_index(repo.made_up("160000", '1') + "\told\n" + repo.made_up("160000", '2') + "\tx\n");
  repo.commit_index();
  repo.set_index(repo.made_up("160000", '1') + "\tnew\n" + repo.made_up("160000", '3') + "\ty\n");
  repo.expect_equals_git();
  EXPECT_EQ(count(repo.detect({}), Change::kRenamed), 1);
}

TEST(Renames, UnmergedPathsCanBeCopiedFrom) {
  RenameRepository repo;
  repo.write("conflict", lines(0, 50));
  repo.write("gone", lines(0, 49));
  repo.commit();
  std::string blob = repo.git_line({"rev-parse", "HEAD:conflict"});
  repo.remove("gone");
  repo.write("new", lines(0, 50));
  repo.write("new2", lines(0, 48));
  repo.add_all();
  repo.git({"update-index", "--force-remove", "conflict"});
  repo.git({"update-index", "--index-info"}, "100644 " + blob + " 1\tconflict\n100644 " + blob +
                                                 " 2\tconflict\n100644 " + blob + " 3\tadded\n");
  repo.expect_equals_git();
}

TEST(Renames, PastTheLimitOnlyTheCheapStepsRemain) {
  RenameRepository repo;
  for (int i = 0; i < 4; ++i) repo.write("old" + std::to_string(i), lines(10 * i, 10 * i + 30));
  repo.write("dir/same-name", lines(500, 530));
  repo.write("exact", lines(600, 630));
  repo.commit();
  for (int i = 0; i < 4; ++i) {
    repo.rename("old" + std::to_string(i), "new" + std::to_string(i));
    repo.write("new" + std::to_string(i), lines(10 * i, 10 * i + 28));
  }
  repo.remove("dir/same-name");
  repo.write("other/same-name", lines(500, 529));
  repo.rename("exact", "moved");
  repo.add_all();
  for (int limit : {0, 1, 3, 4, 5, 1000}) {
    RenameOptions options;
    options.limit = limit;
    repo.expect_equals_git(options);
    EXPECT_EQ(repo.detect(options).limited, limit == 1 || limit == 3) << limit;
  }
}

// git's order of identical sources is reversed when its table of sources grows.
TEST(Renames, IdenticalSourcesOfManyNumbers) {
  for (int count : {52, 204, 205}) {
    RenameRepository repo;
    repo.write("a/same", lines(0, 30));
    repo.write("b/same", lines(0, 30));
    repo.write("c/same", lines(0, 30));
    for (int i = 3; i < count; ++i)
      repo.write("d/" + std::to_string(i), lines(i * 40, i * 40 + 30));
    repo.commit();
    for (const char* name : {"a/same", "b/same", "c/same"}) repo.remove(name);
    for (int i = 3; i < count; ++i) repo.remove("d/" + std::to_string(i));
    repo.write("one", lines(0, 30));
    repo.write("other", lines(0, 30));
    repo.add_all();
    SCOPED_TRACE(count);
    repo.expect_equals_git();
  }
}

TEST(Renames, MinimumScore) {
  RenameRepository repo;
  repo.write("a", lines(0, 100));
  repo.commit();
  repo.remove("a");
  repo.write("b", lines(30, 100));
  repo.add_all();
  for (int percent : {0, 1, 50, 69, 70, 71, 99, 100}) {
    RenameOptions options;
    options.minimum_score = percent * 600;
    repo.expect_equals_git(options);
  }
}

TEST(Renames, MissingObjectIsAnError) {
  RenameRepository repo;
  repo.set_index(repo.made_up("100644", '1') + "\told\n");
  repo.commit_index();
  repo.set_index(repo.made_up("100644", '2') + "\tnew\n");
  auto diff = diff_tree_index(repo.id("HEAD^{tree}"), *repo.index(), repo.tree_reader());
  ASSERT_TRUE(diff.ok());
  auto result = detect_renames(diff->changes, diff->unmerged, {}, repo.contents());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
}

// Index against worktree, with intent-to-add entries as additions. The list of changes comes from
// git.
class WorktreeRenames : public ::testing::Test {
 protected:
  static Side side(const std::string& mode, const std::string& id) {
    return {static_cast<uint32_t>(std::stoul(mode, nullptr, 8)), *ObjectId::from_hex(id)};
  }
  RawDiff gits(const testing::RepoBuilder::Arguments& more) {
    testing::RepoBuilder::Arguments arguments = {"diff-files", "--raw", "-z", "--no-abbrev",
                                                 "--ita-invisible-in-index"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return parse_raw(repo_.git(arguments));
  }
  // "<status> <path>" without modes and ids, because git also prints ids that it computed
  // meanwhile.
  static RawDiff without_ids(const RawDiff& lines) {
    RawDiff out;
    for (const std::string& line : lines) {
      std::string rest = line.substr(14);
      rest = rest.substr(rest.find(' ') + 1);
      out.push_back(rest.substr(rest.find(' ') + 1));
    }
    return out;
  }
  void expect_equals_git() {
    std::vector<PathChange> changes;
    std::vector<UnmergedPath> unmerged;
    for (const std::string& line : gits({"--no-renames"})) {
      std::string before_id = line.substr(14, 40);
      std::string after_id = line.substr(55, 40);
      Side before = side(line.substr(0, 6), before_id);
      Side after = side(line.substr(7, 6), after_id);
      std::string path = line.substr(98);
      if (line[96] == 'U') {
        unmerged.push_back({path, before, after});
      } else {
        changes.push_back({path, static_cast<Change>(line[96]), before, after, {}, 0});
      }
    }
    for (RenameMode mode : {RenameMode::kRenames, RenameMode::kCopies}) {
      RenameOptions options;
      options.mode = mode;
      auto result = detect_renames(changes, unmerged, options, repo_.contents());
      ASSERT_TRUE(result.ok());
      RawDiff ours = without_ids(repo_.raw(*result));
      RawDiff theirs = without_ids(gits(repo_.arguments(options)));
      std::erase_if(theirs, [](const std::string& line) { return line[0] == 'U'; });
      std::sort(ours.begin(), ours.end());
      std::sort(theirs.begin(), theirs.end());
      EXPECT_EQ(ours, theirs);
    }
  }
  RenameRepository repo_;
};

TEST_F(WorktreeRenames, IntentToAdd) {
  repo_.write("exact", lines(0, 30));
  repo_.write("edited", lines(100, 130));
  repo_.write("changed", lines(200, 230));
  repo_.write("stays-deleted", lines(300, 330));
  repo_.commit();
  repo_.rename("exact", "exact-moved");
  repo_.rename("edited", "edited-moved");
  repo_.write("edited-moved", lines(100, 128));
  repo_.write("changed", lines(200, 229));
  repo_.write("changed-copy", lines(200, 230));
  repo_.remove("stays-deleted");
  repo_.git({"add", "-N", "exact-moved", "edited-moved", "changed-copy"});
  expect_equals_git();
  repo_.remove("exact-moved");
  expect_equals_git();
}

TEST_F(WorktreeRenames, UnmergedFilesUseUpSources) {
  repo_.write("gone", lines(0, 30));
  repo_.write("gone2", lines(50, 80));
  repo_.commit();
  std::string blob = repo_.git_line({"hash-object", "-w", "--stdin"}, lines(0, 20));
  repo_.git({"update-index", "--index-info"},
            "100644 " + blob + " 2\tconflict\n100644 " + blob + " 3\tconflict\n100644 " + blob +
                " 2\tlost\n100644 " + blob + " 3\tlost\n100644 " + blob + " 1\tonly-base\n");
  repo_.remove("gone");
  repo_.remove("gone2");
  repo_.write("conflict", lines(0, 30));
  repo_.write("new", lines(0, 20));
  repo_.write("new2", lines(50, 80));
  repo_.git({"add", "-N", "new", "new2"});
  expect_equals_git();
}

}  // namespace
}  // namespace resident
