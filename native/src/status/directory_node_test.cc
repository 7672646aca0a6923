// Tests when has_nothing_to_list() becomes true, and which changes end it.
#include "status/directory_node.h"

#include <gtest/gtest.h>

#include <functional>

namespace resident {
namespace {

class NothingToListTest : public ::testing::Test {
 protected:
  NothingToListTest() {
    top_.index_directory = 0;
    middle_ = &top_.insert_child(tracked("middle"));
    other_ = &top_.insert_child(tracked("other"));
    low_ = &middle_->insert_child(tracked("low"));
    find();
  }

  static std::unique_ptr<DirectoryNode> tracked(const char* name) {
    auto node = std::make_unique<DirectoryNode>();
    node->name = name;
    node->index_directory = 1;
    return node;
  }
  static std::unique_ptr<DirectoryNode> untracked(const char* name) {
    auto node = tracked(name);
    node->index_directory = kNoDirectory;
    return node;
  }

  void find() {
    for (const DirectoryNode* node : {low_, other_, middle_}) node->find_nothing_to_list();
    top_.find_nothing_to_list();
  }

  // Expects that `change` on the lowest node clears it there and in all parents, but in no other
  // node. After the next computation it must equal `comes_back`.
  void expect_end(const char* what, const std::function<void(DirectoryNode&)>& change,
                  bool comes_back) {
    SCOPED_TRACE(what);
    find();
    ASSERT_TRUE(top_.has_nothing_to_list());
    change(*low_);
    EXPECT_FALSE(low_->has_nothing_to_list());
    EXPECT_FALSE(middle_->has_nothing_to_list());
    EXPECT_FALSE(top_.has_nothing_to_list());
    EXPECT_TRUE(other_->has_nothing_to_list());
    find();
    EXPECT_EQ(low_->has_nothing_to_list(), comes_back);
    EXPECT_EQ(top_.has_nothing_to_list(), comes_back);
    low_->begin_reading();
    low_->index_directory = 1;
  }

  DirectoryNode top_;
  DirectoryNode* middle_ = nullptr;
  DirectoryNode* other_ = nullptr;
  DirectoryNode* low_ = nullptr;
};

TEST_F(NothingToListTest, IsNotKnownBeforeItIsFound) {
  DirectoryNode fresh;
  EXPECT_FALSE(fresh.has_nothing_to_list());
  EXPECT_TRUE(top_.has_nothing_to_list());
}

TEST_F(NothingToListTest, EachChangeEndsItUpToTheRoot) {
  for (const OtherKind kind :
       {OtherKind::kFile, OtherKind::kIgnoredFile, OtherKind::kIgnoredDirectory}) {
    expect_end(
        "set_other", [&](DirectoryNode& node) { node.set_other("o", &kind); }, false);
    expect_end(
        "add_other", [&](DirectoryNode& node) { node.add_other("o", kind); }, false);
  }
  const OtherKind special = OtherKind::kSpecial;
  expect_end(
      "special", [&](DirectoryNode& node) { node.set_other("o", &special); }, true);
  expect_end(
      "insert_child", [](DirectoryNode& node) { node.insert_child(untracked("n")); }, false);
  expect_end(
      "add_child", [](DirectoryNode& node) { node.add_child(untracked("n")); }, false);
  expect_end(
      "readable", [](DirectoryNode& node) { node.set_readable(false); }, false);
  expect_end(
      "patterns", [](DirectoryNode& node) { node.set_patterns_readable(false); }, false);
  expect_end(
      "nested", [](DirectoryNode& node) { node.set_nested_repository(true); }, false);
  expect_end(
      "reading", [](DirectoryNode& node) { node.begin_reading(); }, true);
  find();
  low_->leave_index();
  EXPECT_FALSE(top_.has_nothing_to_list());
}

TEST_F(NothingToListTest, AKindThatBecomesAnother) {
  const OtherKind special = OtherKind::kSpecial;
  const OtherKind file = OtherKind::kFile;
  low_->set_other("o", &special);
  find();
  ASSERT_TRUE(top_.has_nothing_to_list());
  low_->set_other("o", &file);
  EXPECT_FALSE(top_.has_nothing_to_list());
  find();
  EXPECT_FALSE(top_.has_nothing_to_list());
  low_->set_other("o", nullptr);
  find();
  EXPECT_TRUE(top_.has_nothing_to_list());
}

TEST_F(NothingToListTest, ASubmoduleIsNobodysBusiness) {
  auto submodule = untracked("s");
  submodule->submodule = true;
  submodule->set_readable(false);
  low_->insert_child(std::move(submodule));
  find();
  EXPECT_TRUE(top_.has_nothing_to_list());
}

// Same steps as in a scan: first for each directory that was read, then for each one without it.
TEST_F(NothingToListTest, WhatIsSupposedIsWithdrawnAboveWhatHasSomething) {
  low_->set_readable(false);
  for (DirectoryNode* node : {&top_, middle_, other_, low_}) node->suppose_nothing_to_list();
  EXPECT_TRUE(top_.has_nothing_to_list());
  EXPECT_TRUE(other_->has_nothing_to_list());
  EXPECT_FALSE(low_->has_nothing_to_list());
  low_->withdraw_above();
  EXPECT_FALSE(middle_->has_nothing_to_list());
  EXPECT_FALSE(top_.has_nothing_to_list());
  EXPECT_TRUE(other_->has_nothing_to_list());
}

TEST_F(NothingToListTest, OfAnUntrackedDirectoryItIsNotSupposed) {
  DirectoryNode& child = middle_->insert_child(untracked("n"));
  for (DirectoryNode* node : {&top_, middle_, &child}) node->suppose_nothing_to_list();
  EXPECT_FALSE(child.has_nothing_to_list());
  child.withdraw_above();
  EXPECT_FALSE(top_.has_nothing_to_list());
  child.submodule = true;
  for (DirectoryNode* node : {&top_, middle_, &child}) node->suppose_nothing_to_list();
  EXPECT_TRUE(child.has_nothing_to_list());
}

}  // namespace
}  // namespace resident
