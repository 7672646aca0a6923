#include "odb/alternates.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using Paths = std::vector<std::string>;

TEST(Alternates, ParsesLists) {
  EXPECT_EQ(parse_alternates("", '\n'), Paths{});
  EXPECT_EQ(parse_alternates("/a\n\n#/b\n/c", '\n'), (Paths{"/a", "/c"}));
  EXPECT_EQ(parse_alternates("/a:b c:", ':'), (Paths{"/a", "b c"}));
}

TEST(Alternates, UndoesQuoting) {
  EXPECT_EQ(parse_alternates(R"("/a:b":/c)", ':'), (Paths{"/a:b", "/c"}));
  EXPECT_EQ(parse_alternates(R"("\t\"\\\303\244")", ':'), Paths{"\t\"\\\303\244"});
  // Malformed quoting is taken literally.
  EXPECT_EQ(parse_alternates(R"("/a:/b)", ':'), (Paths{"\"/a", "/b"}));
  EXPECT_EQ(parse_alternates(R"("\q":/b)", ':'), (Paths{"\"\\q\"", "/b"}));
  EXPECT_EQ(parse_alternates(R"("\400":"\1)", ':'), (Paths{"\"\\400\"", "\"\\1"}));
}

TEST(Alternates, StopsAtGitsDepthAndListsEachDirectoryOnce) {
  testing::RepoBuilder root;
  for (int i = 0; i < 9; ++i) {
    // Each directory names the next one and itself.
    testing::write_whole_file(
        root.path("o" + std::to_string(i) + "/info/alternates"),
        "../o" + std::to_string(i + 1) + "\n../o" + std::to_string(i) + "/.\n");
  }
  auto found = find_object_directories(posix_file_system(), root.path("o0"), "");
  EXPECT_EQ(found.paths.size(), 7u);
  EXPECT_EQ(found.paths.back(), root.path("o6"));
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_NE(found.problems[0].message.find("nested too deep"), std::string::npos);
}

TEST(Alternates, ALoopEnds) {
  testing::RepoBuilder root;
  testing::write_whole_file(root.path("a/info/alternates"), "../b\n");
  testing::write_whole_file(root.path("b/info/alternates"), root.path("a"));
  EXPECT_EQ(find_object_directories(posix_file_system(), root.path("a"), "").paths,
            (Paths{root.path("a"), root.path("b")}));
}

}  // namespace
}  // namespace resident
