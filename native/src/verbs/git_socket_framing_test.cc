#include "verbs/git_socket_framing.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

std::optional<std::string> question_in(std::string_view bytes) {
  const auto question = kGitFraming.question_in(bytes);
  EXPECT_TRUE(question.ok()) << bytes;
  return question.ok() ? *question : std::nullopt;
}

TEST(GitSocketFraming, AQuestionIsWholeWithItsLastPacket) {
  const std::string_view bytes = "0007abc0005d0000";
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(question_in(bytes.substr(0, size)), std::nullopt) << size;
  }
  EXPECT_EQ(question_in(bytes), "abcd");
  EXPECT_EQ(question_in("0000"), "");
  EXPECT_EQ(question_in("000aFLUSH!0000"), "FLUSH!");
}

TEST(GitSocketFraming, OtherBytesAreNoQuestion) {
  for (const std::string_view bytes : {"0001", "0002", "0003", "fff1", "zzzz", "-004", "+004",
                                       "0x04", " 004", "0005a0000x", "git-resident 3\n"}) {
    EXPECT_FALSE(kGitFraming.question_in(bytes).ok()) << bytes;
  }
}

TEST(GitSocketFraming, AnAnswerIsSentInPacketsOfAnyLength) {
  EXPECT_EQ(in_packets(""), "0000");
  EXPECT_EQ(in_packets(std::string_view("t\0/\0", 4)), std::string_view("0008t\0/\0"
                                                                        "0000",
                                                                        12));
  for (const size_t size : {65'515, 65'516, 65'517, 200'000}) {
    const std::string bytes(size, 'x');
    EXPECT_EQ(question_in(in_packets(bytes)), bytes);
    EXPECT_EQ(kGitFraming.framed(bytes)->rest, in_packets(bytes));
  }
  EXPECT_EQ(in_packets(std::string(65'516, 'x')).substr(0, 4), "fff0");
}

}  // namespace
}  // namespace resident
