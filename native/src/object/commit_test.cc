#include "object/commit.h"

#include <gtest/gtest.h>

#include <string>

namespace resident {
namespace {

constexpr HashAlgorithm kSha1 = HashAlgorithm::kSha1;

std::string hex(char digit) {
  return std::string(40, digit);
}

const std::string kPeople =
    "author A <a@x> 1700000000 +0000\n"
    "committer C <c@x> 1700000042 -0330\n"
    "\nmessage\n";

TEST(Commit, ParsesTreeParentsAndTime) {
  auto commit = parse_commit(
      "tree " + hex('1') + "\nparent " + hex('2') + "\nparent " + hex('3') + "\n" + kPeople, kSha1);
  ASSERT_TRUE(commit.ok());
  EXPECT_EQ(commit->tree.hex(), hex('1'));
  ASSERT_EQ(commit->parents.size(), 2u);
  EXPECT_EQ(commit->parents[1].hex(), hex('3'));
  EXPECT_EQ(commit->committer_time, 1700000042u);
}

TEST(Commit, RootCommitHasNoParents) {
  auto commit = parse_commit("tree " + hex('1') + "\n" + kPeople, kSha1);
  ASSERT_TRUE(commit.ok());
  EXPECT_TRUE(commit->parents.empty());
}

TEST(Commit, ABadDateIsZeroAndAHugeOneSaturates) {
  const std::string tree = "tree " + hex('1') + "\n";
  EXPECT_EQ(parse_commit(tree, kSha1)->committer_time, 0u);
  EXPECT_EQ(parse_commit(tree + "author x\n", kSha1)->committer_time, 0u);
  EXPECT_EQ(parse_commit(tree + "author x\ncommitter y", kSha1)->committer_time, 0u);
  EXPECT_EQ(parse_commit(tree + "author x\ncommitter y>\n", kSha1)->committer_time, 0u);
  EXPECT_EQ(parse_commit(tree + "author x\ncommitter y> never\n", kSha1)->committer_time, 0u);
  EXPECT_EQ(parse_commit(tree + "author x\ncommitter y> 99999999999999999999 +0000\n", kSha1)
                ->committer_time,
            UINT64_MAX);
}

TEST(Commit, RefusesBadPointers) {
  EXPECT_FALSE(parse_commit("", kSha1).ok());
  EXPECT_FALSE(parse_commit("tree " + hex('1'), kSha1).ok());
  EXPECT_FALSE(parse_commit("tree " + hex('g') + "\n", kSha1).ok());
  EXPECT_FALSE(parse_commit("tree " + hex('1') + "\nparent " + hex('x') + "\n", kSha1).ok());
  EXPECT_FALSE(parse_commit("tree " + hex('1') + "\nparent 12\n", kSha1).ok());
  // A SHA-1 commit in a SHA-256 repository.
  EXPECT_FALSE(parse_commit("tree " + hex('1') + "\n" + kPeople, HashAlgorithm::kSha256).ok());
}

TEST(Tag, ParsesItsTarget) {
  auto tag = parse_tag("object " + hex('a') + "\ntype tree\ntag v1\n", kSha1);
  ASSERT_TRUE(tag.ok());
  EXPECT_EQ(tag->object.hex(), hex('a'));
  EXPECT_EQ(tag->type, ObjectType::kTree);
}

TEST(Tag, RefusesMalformedOnes) {
  EXPECT_FALSE(parse_tag("", kSha1).ok());
  EXPECT_FALSE(parse_tag("object " + hex('a') + "\n", kSha1).ok());
  EXPECT_FALSE(parse_tag("object " + hex('a') + "\ntype tree", kSha1).ok());
  EXPECT_FALSE(parse_tag("object " + hex('a') + "\ntype thing\n", kSha1).ok());
}

TEST(ObjectType, NamesRoundTrip) {
  for (auto type : {ObjectType::kCommit, ObjectType::kTree, ObjectType::kBlob, ObjectType::kTag}) {
    EXPECT_EQ(object_type_from_name(object_type_name(type)), type);
  }
  EXPECT_FALSE(object_type_from_name("commits"));
  EXPECT_FALSE(object_type_from_name(""));
}

}  // namespace
}  // namespace resident
