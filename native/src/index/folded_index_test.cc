#include "index/folded_index.h"

#include <gtest/gtest.h>

#include "index/index_test_support.h"

namespace resident {
namespace {

using namespace testing;

std::shared_ptr<const Index> index_of(std::initializer_list<const char*> lines) {
  RepoBuilder repo;
  repo.init();
  const std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  std::string info;
  for (std::string line : lines) info += line.replace(line.find('_'), 1, " " + blob + "\t") + "\n";
  repo.git({"update-index", "--index-info"}, info);
  return load(repo);
}

TEST(FoldedIndex, PathsAreFoundInAnyCase) {
  const FoldedIndex folded(index_of(
      {"100644_File", "100644_Dir/Sub/x.C", "100644_dir/y", "160000_Mod", "100644_\xc3\x84"}));
  for (const char* path : {"File", "file", "FILE", "dir/sub/X.c", "DIR/Y", "mod", "\xc3\x84"}) {
    EXPECT_TRUE(folded.has_entry(path)) << path;
  }
  for (const char* path : {"fil", "file/", "dir", "dir/sub", "sub/x.c", "", "\xc3\xa4"}) {
    EXPECT_FALSE(folded.has_entry(path)) << path;
  }
  for (const char* path : {"dir", "DIR", "Dir/sUB"})
    EXPECT_TRUE(folded.has_directory(path)) << path;
  for (const char* path : {"", "file", "sub", "dir/", "mod"}) {
    EXPECT_FALSE(folded.has_directory(path)) << path;
  }
  EXPECT_TRUE(folded.has_gitlink("MOD"));
  EXPECT_FALSE(folded.has_gitlink("file"));
}

TEST(FoldedIndex, SamePaths) {
  const auto index = index_of({"100644_a", "160000_m", "100644_d/b"});
  EXPECT_TRUE(have_same_paths(*index, *index_of({"100755_a", "160000_m", "100644_d/b"})));
  EXPECT_FALSE(have_same_paths(*index, *index_of({"100644_A", "160000_m", "100644_d/b"})));
  EXPECT_FALSE(have_same_paths(*index, *index_of({"100644_a", "100644_m", "100644_d/b"})));
  EXPECT_FALSE(have_same_paths(*index, *index_of({"100644_a", "160000_m", "100644_D/b"})));
  EXPECT_FALSE(have_same_paths(*index, *index_of({"100644_a", "160000_m", "100644_b"})));
  EXPECT_FALSE(have_same_paths(*index, *index_of({"100644_a", "160000_m"})));
}

}  // namespace
}  // namespace resident
