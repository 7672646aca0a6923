#include "diff/path_limit.h"

#include <gtest/gtest.h>

#include "testing/repo_builder.h"

namespace resident {
namespace {

constexpr char kBlob[] = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

PathLimit limited_to(const std::vector<std::string>& arguments) {
  auto pathspec = Pathspec::parse(arguments, {});
  EXPECT_TRUE(pathspec.ok());
  return {std::make_shared<const Pathspec>(*pathspec), nullptr};
}

class PathLimitTest : public ::testing::Test {
 protected:
  // "mixed" is a file in ours and a submodule in theirs. "same" is a file in both.
  PathLimitTest() {
    repo_.init();
    const std::string blob(kBlob);
    repo_.git({"hash-object", "-w", "--stdin"});
    repo_.git({"update-index", "--index-info"},
              "100644 " + blob + " 2\tmixed\n160000 " + blob + " 3\tmixed\n100644 " + blob +
                  " 2\tsame\n100644 " + blob + " 3\tsame\n160000 " + blob + " 0\tmodule\n");
    auto index = Index::load(repo_.work() + "/.git/index", {});
    EXPECT_TRUE(index.ok());
    index_ = *index;
  }

  testing::RepoBuilder repo_;
  std::shared_ptr<const Index> index_;
};

TEST_F(PathLimitTest, StagesThatStandDifferentlyAreLeftToGit) {
  const uint32_t mixed = *index_->find_path("mixed");
  const uint32_t same = *index_->find_path("same");
  for (const char* path : {"mixed", "mix*", ".", "other"}) {
    EXPECT_TRUE(limited_to({path}).has_unmerged(*index_, mixed).ok()) << path;
  }
  const auto differs = limited_to({"mixed/"}).has_unmerged(*index_, mixed);
  ASSERT_FALSE(differs.ok());
  EXPECT_EQ(differs.error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(limited_to({"same/"}).has_unmerged(*index_, same).value());
  EXPECT_TRUE(limited_to({"same"}).has_unmerged(*index_, same).value());
  const std::vector<UnmergedPath> unmerged = {{"mixed", {}, {}}, {"same", {}, {}}};
  EXPECT_FALSE(limited_to({"mixed/"}).within(*index_, unmerged).ok());
  EXPECT_EQ(limited_to({"same"}).within(*index_, unmerged)->size(), 1u);
}

// The index entry decides whether the path is a submodule. Without an entry, HEAD decides.
TEST_F(PathLimitTest, ASubmodulesChangeMatchesWithASlash) {
  PathChange change;
  change.path = "module";
  change.before.mode = 0100644;
  EXPECT_TRUE(limited_to({"module/"}).has_change(*index_, change));
  change.path = "gone";
  EXPECT_FALSE(limited_to({"gone/"}).has_change(*index_, change));
  change.before.mode = 0160000;
  EXPECT_TRUE(limited_to({"gone/"}).has_change(*index_, change));
}

TEST_F(PathLimitTest, NoPathspecIsNoLimit) {
  for (const PathLimit& limit : {PathLimit(), limited_to({})}) {
    EXPECT_TRUE(limit.is_everything());
    EXPECT_TRUE(limit.has_file("a"));
    EXPECT_TRUE(limit.has_entry(*index_, 0));
    EXPECT_EQ(limit.directory("a/"), PathspecMatch::kRecursive);
    EXPECT_TRUE(limit.may_be_at_or_below("a"));
    EXPECT_EQ(limit.start(), "");
  }
}

}  // namespace
}  // namespace resident
