#include "verbs/changes_question.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

using For = WorktreeModel::ChangesFor;

TEST(ChangesQuestion, GoesOverTheSocketAndBack) {
  for (const For whom : {For::kGit, For::kGitKeepingModules, For::kPeople}) {
    const ChangesQuestion question{whom, "a token\n", "/w/.git", "/w/.git/index", "/w"};
    const auto decoded = decode_changes_question(encode_changes_question(question));
    ASSERT_TRUE(decoded.ok()) << decoded.error().message;
    EXPECT_EQ(decoded->whom, whom);
    EXPECT_EQ(decoded->token, question.token);
    EXPECT_EQ(decoded->git_dir, question.git_dir);
    EXPECT_EQ(decoded->index_file, question.index_file);
    EXPECT_EQ(decoded->worktree, question.worktree);
  }
}

TEST(ChangesQuestion, EveryPartOfItIsMalformed) {
  const std::string whole = encode_changes_question({For::kGit, "t", "/g", "/i", "/w"});
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(decode_changes_question(whole.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(decode_changes_question(whole + "x").ok());
  EXPECT_FALSE(decode_changes_question(std::string("changes\0others\0t\0\0\0\0", 21)).ok());
}

TEST(ChangesReply, GoesOverTheSocketAndBack) {
  for (const ChangesReply& reply : {ChangesReply{true, "t", {}}, ChangesReply{false, "t", {}},
                                    ChangesReply{false, "t", {"a\nb", "d/"}}}) {
    const auto decoded = decode_changes_reply(encode_changes_reply(reply));
    ASSERT_TRUE(decoded.ok()) << decoded.error().message;
    EXPECT_EQ(decoded->everything, reply.everything);
    EXPECT_EQ(decoded->token, reply.token);
    EXPECT_EQ(decoded->names, reply.names);
  }
}

TEST(ChangesReply, WhatIsNoneIsAnError) {
  const auto error = decode_changes_reply(std::string("error\0why", 9));
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.error().message, "why");
  for (const std::string& bad :
       {std::string(), std::string("some"), std::string("some\0t", 6), std::string("ok\0t\0", 5),
        std::string("some\0t\0a", 8), std::string("some\0t\0\0", 8)}) {
    EXPECT_FALSE(decode_changes_reply(bad).ok());
  }
}

}  // namespace
}  // namespace resident
