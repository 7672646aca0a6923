#include "verbs/changes_question.h"

#include <gtest/gtest.h>

#include "ipc/socket_verbs.h"

namespace resident {
namespace {

using For = WorktreeModel::ChangesFor;

Result<ChangesQuestion> decoded(std::string_view message) {
  const Result<SocketVerb> verb = parse_verb(message);
  EXPECT_TRUE(message.empty() || (verb.ok() && *verb == SocketVerb::kChanges));
  return decode_changes_question(message);
}

TEST(ChangesQuestion, GoesOverTheSocketAndBack) {
  for (const For whom : {For::kGit, For::kGitKeepingModules, For::kPeople}) {
    const ChangesQuestion question{whom, "a token\n", "/w/.git", "/w/.git/index", "/w"};
    const auto back = decoded(encode_changes_question(question));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back->whom, whom);
    EXPECT_EQ(back->token, question.token);
    EXPECT_EQ(back->git_dir, question.git_dir);
    EXPECT_EQ(back->index_file, question.index_file);
    EXPECT_EQ(back->worktree, question.worktree);
  }
}

TEST(ChangesQuestion, EveryPartOfItIsMalformed) {
  const std::string whole = encode_changes_question({For::kGit, "t", "/g", "/i", "/w"});
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(decoded(whole.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(decoded(whole + "x").ok());
  EXPECT_FALSE(decoded(std::string("changes\0others\0t\0\0\0\0", 21)).ok());
}

TEST(ChangesReply, GoesOverTheSocketAndBack) {
  for (const ChangesReply& reply : {ChangesReply{true, "t", {}}, ChangesReply{false, "t", {}},
                                    ChangesReply{false, "t", {"a\nb", "d/"}}}) {
    const auto decoded = decode_changes_reply(encode_reply(reply));
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
