#include "cli/json_lines.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

TEST(JsonLines, OnlyWhatIsNew) {
  DeltaChunk chunk;
  chunk.delta.base_version = 3;
  chunk.delta.version = 4;
  chunk.more = true;
  EXPECT_EQ(json_line(chunk), "{\"base\":3,\"version\":4,\"more\":true}\n");
}

TEST(JsonLines, EveryMember) {
  DeltaChunk chunk;
  StatusDelta& delta = chunk.delta;
  delta.version = 1;
  delta.state.emplace().kind = ModelState::Kind::kFailed;
  delta.state->message = "why";
  delta.operation = Operation::kRebase;
  delta.operation_step = "2/5";
  BranchStatus& branch = delta.branch.emplace();
  branch.name = "main";
  branch.initial = true;
  ChangedEntry& entry = delta.changed.emplace_back();
  entry.path = "b";
  entry.from = "a";
  entry.index = Change::kRenamed;
  UnmergedEntry& unmerged = delta.unmerged.emplace_back();
  unmerged.path = "c";
  unmerged.stages[1].mode = unmerged.stages[2].mode = 0100644;
  delta.untracked = {"u", "v"};
  delta.removed = {"r"};
  delta.removed_untracked = {"s"};
  delta.problems = {"p"};
  EXPECT_EQ(json_line(chunk),
            R"({"base":0,"version":1,"more":false,"state":"failed","message":"why",)"
            R"("branch":{"name":"main","oid":null,"detached":false,"upstream":null},)"
            R"("operation":"rebase","step":"2/5","changed":[{"path":"b","xy":"R.","from":"a"}],)"
            R"("unmerged":[{"path":"c","xy":"AA"}],"untracked":["u","v"],"removed":["r"],)"
            R"("removedUntracked":["s"],"problems":["p"]})"
            "\n");
}

TEST(JsonLines, Details) {
  const auto line = [](const std::optional<BranchDetails>& details) {
    DeltaChunk chunk;
    chunk.delta.version = 1;
    chunk.delta.details = details;
    return json_line(chunk);
  };
  const std::string begin = R"({"base":0,"version":1,"more":false)";
  EXPECT_EQ(line(std::nullopt), begin + "}\n");
  BranchDetails details;
  EXPECT_EQ(line(details), begin + R"(,"details":{}})" + "\n");
  details.tag_known = BranchDetails::Known::kKnown;
  details.stashes = 0;
  details.push = {"mine", "main", "/mine"};
  EXPECT_EQ(line(details), begin + R"(,"details":{"tag":null,"stashes":0,)"
                                   R"("push":{"remote":"mine","branch":"main","url":"/mine"}}})"
                                   "\n");
  details.tag = {"v\xff", 3};
  details.action = "rebase-i 2/5";
  details.upstream = {"origin", "x", ""};
  details.push_counts = {1, 2};
  EXPECT_EQ(line(details),
            begin +
                R"(,"details":{"tag":{"name":{"base64":"dv8="},"distance":3},"stashes":0,)"
                R"("action":"rebase-i 2/5","upstream":{"remote":"origin","branch":"x"},)"
                R"("push":{"remote":"mine","branch":"main","url":"/mine","ahead":1,"behind":2}}})"
                "\n");
}

TEST(JsonLines, TheEnd) {
  EXPECT_EQ(json_line_of_gone("removed"),
            R"({"base":0,"version":0,"more":false,"state":"gone","message":"removed"})"
            "\n");
}

}  // namespace
}  // namespace resident
