// RefStore on reftables that ReftableWriter made.
#include <gtest/gtest.h>

#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "refs/head_files.h"
#include "refs/ref_store.h"
#include "testing/reftable_writer.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::ReftableWriter;
using testing::RepoBuilder;
using testing::write_reftables;
using testing::write_whole_file;

const ObjectId kOne = *ObjectId::from_hex("1111111111111111111111111111111111111111");
const ObjectId kTwo = *ObjectId::from_hex("2222222222222222222222222222222222222222");
const ObjectId kNone = ObjectId::null(HashAlgorithm::kSha1);

class RefTablesTest : public ::testing::Test {
 protected:
  RefTablesTest() {
    std::filesystem::create_directories(git_dir_ + "/worktrees/side");
    write_whole_file(git_dir_ + "/HEAD", "ref: refs/heads/.invalid\n");
  }
  RefStore store() {
    return RefStore(git_dir_, git_dir_, HashAlgorithm::kSha1, posix_file_system(),
                    RefStorage::kReftable);
  }
  RefStore linked() {
    return RefStore(side_, git_dir_, HashAlgorithm::kSha1, posix_file_system(),
                    RefStorage::kReftable);
  }
  static std::string messages(RefStore& refs, const std::string& name) {
    std::string all;
    const auto add = [&](const ReflogEntry& entry) {
      all += std::string(entry.message) + ";";
      return true;
    };
    EXPECT_TRUE(refs.visit_log_backwards(name, add).ok());
    return all;
  }

  RepoBuilder directory_;
  const std::string git_dir_ = directory_.path("main/.git");
  const std::string side_ = git_dir_ + "/worktrees/side";
};

TEST_F(RefTablesTest, HeadOnABranchDetachedAndUnborn) {
  RefStore refs = store();
  EXPECT_EQ(refs.head().error().code, ErrorCode::kNotFound);
  write_reftables(git_dir_, {ReftableWriter().symbolic("HEAD", "refs/heads/main").bytes()});
  EXPECT_EQ(*refs.head(), (Head{false, "refs/heads/main", std::nullopt}));
  write_reftables(git_dir_, {ReftableWriter().symbolic("HEAD", "refs/heads/main").bytes(),
                             ReftableWriter().ref("refs/heads/main", kOne).bytes()});
  EXPECT_EQ(*refs.head(), (Head{false, "refs/heads/main", kOne}));
  write_reftables(git_dir_, {ReftableWriter().ref("HEAD", kTwo).bytes()});
  EXPECT_EQ(*refs.head(), (Head{true, "", kTwo}));
}

TEST_F(RefTablesTest, SymbolicRefsAreFollowedAsFar) {
  write_reftables(git_dir_, {ReftableWriter()
                                 .ref("refs/heads/main", kOne)
                                 .symbolic("refs/heads/alias", "refs/heads/main")
                                 .symbolic("refs/heads/nowhere", "refs/heads/none")
                                 .symbolic("refs/heads/invalid", "refs/heads/..")
                                 .symbolic("refs/heads/a", "refs/heads/b")
                                 .symbolic("refs/heads/b", "refs/heads/a")
                                 .bytes()});
  RefStore refs = store();
  EXPECT_EQ(*refs.resolve("refs/heads/alias"), kOne);
  auto found = refs.look_up("refs/heads/alias");
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->name, "refs/heads/main");
  EXPECT_EQ(*refs.resolve("refs/heads/nowhere"), std::nullopt);
  EXPECT_EQ(refs.look_up("refs/heads/nowhere").error().message,
            git_dir_ + "/reftable, refs/heads/nowhere: does not lead to a ref");
  EXPECT_EQ(refs.resolve("refs/heads/invalid").error().message,
            git_dir_ + "/reftable, refs/heads/invalid: points at an invalid ref name");
  EXPECT_EQ(refs.resolve("refs/heads/a").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(*refs.resolve("refs/heads/.."), std::nullopt);
  for (const char* name : {"refs/heads/nowhere", "refs/heads/a", "refs/heads/main"}) {
    EXPECT_TRUE(refs.is_there(name));
  }
  EXPECT_TRUE(refs.exists("refs/heads/alias"));
  EXPECT_FALSE(refs.exists("refs/heads/nowhere"));
  EXPECT_FALSE(refs.is_there("refs/heads/none"));
  EXPECT_FALSE(refs.is_there("refs/heads/.."));
  EXPECT_EQ(refs.refs_below("refs/heads/").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(*refs.refs_below("refs/heads/main/"), (std::map<std::string, ObjectId>{}));
}

TEST_F(RefTablesTest, RefsBelowAPrefix) {
  write_reftables(git_dir_, {ReftableWriter()
                                 .ref("refs/heads/main", kOne)
                                 .ref("refs/replace/a", kOne)
                                 .ref("refs/replace/b", kOne)
                                 .ref("refs/replace0", kOne)
                                 .symbolic("refs/replace/deep/c", "refs/heads/main")
                                 .bytes(),
                             ReftableWriter().ref("refs/replace/a", kTwo).bytes(),
                             ReftableWriter().deletion("refs/replace/b").bytes()});
  RefStore refs = store();
  EXPECT_EQ(
      *refs.refs_below("refs/replace/"),
      (std::map<std::string, ObjectId>{{"refs/replace/a", kTwo}, {"refs/replace/deep/c", kOne}}));
}

TEST_F(RefTablesTest, WhatLeadsNowhereIsPassedOverInLists) {
  write_reftables(git_dir_, {ReftableWriter()
                                 .symbolic("refs/tags/circle", "refs/tags/circle")
                                 .ref("refs/tags/good", kOne)
                                 .symbolic("refs/tags/invalid", "refs/heads/..")
                                 .symbolic("refs/tags/mine", "refs/bisect/bad")
                                 .symbolic("refs/tags/nowhere", "refs/heads/none")
                                 .ref("refs/tags/null", kNone)
                                 .bytes()});
  write_reftables(side_, {ReftableWriter().ref("refs/bisect/bad", kTwo).bytes()});
  const auto names = [](RefStore& refs) {
    std::string all;
    const auto listed = refs.list_below("refs/tags/");
    EXPECT_TRUE(listed.ok());
    if (!listed.ok()) return all;
    for (const RefStore::Listed& ref : *listed) all += ref.name + " ";
    return all;
  };
  RefStore main = store(), side = linked();
  EXPECT_EQ(names(main), "refs/tags/good ");
  EXPECT_EQ(names(side), "refs/tags/good refs/tags/mine ");
  EXPECT_EQ(main.refs_below("refs/tags/").error().code, ErrorCode::kCorrupt);
  const std::vector<std::string> files = side.files_below("refs/tags/");
  EXPECT_EQ(std::count(files.begin(), files.end(), side_ + "/reftable/tables.list"), 1);
}

TEST_F(RefTablesTest, WhatTagsLeadToStandsBesideThem) {
  write_reftables(git_dir_, {ReftableWriter()
                                 .tag("refs/tags/a", kOne, kTwo)
                                 .tag("refs/tags/b", kOne, kTwo)
                                 .ref("refs/tags/c", kTwo)
                                 .symbolic("refs/tags/d", "refs/tags/a")
                                 .bytes(),
                             ReftableWriter().ref("refs/tags/b", kOne).bytes()});
  RefStore refs = store();
  const auto listed = refs.list_below("refs/tags/");
  ASSERT_TRUE(listed.ok()) << listed.error().message;
  ASSERT_EQ(listed->size(), 4u);
  EXPECT_EQ((*listed)[0].peeled, kTwo);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ((*listed)[i].peeled, std::nullopt) << i;
  EXPECT_EQ((*listed)[3].id, kOne);
}

TEST_F(RefTablesTest, EachWorktreeHasItsOwnStack) {
  write_reftables(git_dir_, {ReftableWriter()
                                 .symbolic("HEAD", "refs/heads/main")
                                 .ref("refs/heads/main", kOne)
                                 .ref("refs/heads/side", kTwo)
                                 .log("HEAD", 1, kNone, kOne, "main's")
                                 .log("refs/stash", 1, kNone, kOne, "shared")
                                 .bytes()});
  write_reftables(side_, {ReftableWriter()
                              .symbolic("HEAD", "refs/heads/side")
                              .ref("refs/bisect/bad", kOne)
                              .ref("ORIG_HEAD", kOne)
                              .log("HEAD", 1, kNone, kTwo, "side's")
                              .bytes()});
  write_whole_file(side_ + "/HEAD", "ref: refs/heads/.invalid\n");
  RefStore main = store(), side = linked();
  EXPECT_EQ(*main.head(), (Head{false, "refs/heads/main", kOne}));
  EXPECT_EQ(*side.head(), (Head{false, "refs/heads/side", kTwo}));
  for (const char* name : {"refs/bisect/bad", "ORIG_HEAD"}) {
    EXPECT_EQ(*side.resolve(name), kOne);
    EXPECT_EQ(*main.resolve(name), std::nullopt);
    EXPECT_EQ(*main.resolve(std::string("worktrees/side/") + name), kOne);
  }
  EXPECT_EQ(*side.resolve("main-worktree/HEAD"), kOne);
  EXPECT_EQ(messages(main, "HEAD"), "main's;");
  EXPECT_EQ(messages(side, "HEAD"), "side's;");
  EXPECT_EQ(messages(side, "refs/stash"), "shared;");

  const auto lists_in = [](const std::vector<std::string>& files) {
    std::vector<std::string> lists;
    for (const std::string& file : files) {
      if (file.ends_with("/tables.list")) lists.push_back(file);
    }
    return lists;
  };
  const std::string shared_list = git_dir_ + "/reftable/tables.list";
  EXPECT_EQ(lists_in(main.files_of("HEAD")), std::vector<std::string>{shared_list});
  EXPECT_EQ(lists_in(side.files_of("HEAD")),
            (std::vector<std::string>{shared_list, side_ + "/reftable/tables.list"}));
  EXPECT_EQ(lists_in(side.files_of("ORIG_HEAD")),
            std::vector<std::string>{side_ + "/reftable/tables.list"});
  EXPECT_EQ(lists_in(side.files_below("refs/replace/")), std::vector<std::string>{shared_list});
}

TEST_F(RefTablesTest, AReadingIsOfAllStacksAlsoOfThoseThatAreMetInIt) {
  write_reftables(git_dir_, {ReftableWriter().ref("refs/heads/main", kOne).bytes()});
  write_reftables(side_, {ReftableWriter().symbolic("HEAD", "refs/heads/main").bytes()});
  RefStore refs = linked();
  {
    const RefStore::Reading reading(refs);
    EXPECT_EQ(refs.head()->id, kOne);
    write_reftables(git_dir_, {ReftableWriter().ref("refs/heads/main", kTwo).bytes()});
    write_reftables(side_, {ReftableWriter().ref("HEAD", kTwo).bytes()});
    EXPECT_EQ(*refs.head(), (Head{false, "refs/heads/main", kOne}));
  }
  EXPECT_EQ(*refs.head(), (Head{true, "", kTwo}));
}

TEST_F(RefTablesTest, MergeHeadStaysAFile) {
  write_reftables(git_dir_,
                  {ReftableWriter().ref("MERGE_HEAD", kTwo).ref("CHERRY_PICK_HEAD", kTwo).bytes()});
  write_whole_file(git_dir_ + "/CHERRY_PICK_HEAD", kOne.hex() + "\n");
  RefStore refs = store();
  EXPECT_EQ(*refs.resolve("MERGE_HEAD"), std::nullopt);
  EXPECT_EQ(*refs.resolve("CHERRY_PICK_HEAD"), kTwo);
  write_whole_file(git_dir_ + "/MERGE_HEAD", kOne.hex() + "\n" + kTwo.hex() + "\n");
  EXPECT_EQ(*refs.resolve("MERGE_HEAD"), kOne);
  EXPECT_EQ(refs.files_of("MERGE_HEAD"), std::vector<std::string>{git_dir_ + "/MERGE_HEAD"});
}

TEST_F(RefTablesTest, TheMarkOfALogIsNoEntry) {
  write_reftables(git_dir_, {ReftableWriter()
                                 .log("refs/stash", 1, kNone, kNone, "")
                                 .log("refs/stash", 2, kNone, kOne, "first")
                                 .log("refs/stash", 3, kOne, kTwo, "second\nand more")
                                 .bytes()});
  RefStore refs = store();
  EXPECT_EQ(messages(refs, "refs/stash"), "second;first;");
  EXPECT_EQ(messages(refs, "refs/stas"), "");
}

TEST_F(RefTablesTest, DamageIsForGitToTell) {
  const std::string good = ReftableWriter().ref("HEAD", kOne).bytes();
  write_reftables(git_dir_, {good, "rubbish"});
  RefStore refs = store();
  const Result<Head> head = refs.head();
  ASSERT_FALSE(head.ok());
  EXPECT_EQ(head.error().code, ErrorCode::kUnsupported);
  EXPECT_TRUE(head.error().message.ends_with(": not a reftable")) << head.error().message;
  EXPECT_FALSE(refs.exists("HEAD"));
  EXPECT_TRUE(refs.is_there("HEAD"));
  EXPECT_EQ(refs.files_of("HEAD").size(), 3u) << "the damaged one too";
  EXPECT_FALSE(refs.refs_below("refs/replace/").ok());
  EXPECT_FALSE(refs.visit_log_backwards("HEAD", [](const auto&) { return true; }).ok());
  write_reftables(git_dir_, {good});
  EXPECT_EQ(*refs.head(), (Head{true, "", kOne}));
  write_reftables(git_dir_, {ReftableWriter().ref("refs/replace/a..b", kOne).bytes()});
  EXPECT_EQ(refs.refs_below("refs/replace/").error().code, ErrorCode::kUnsupported);
}

TEST_F(RefTablesTest, TheStorageCanChange) {
  write_reftables(git_dir_, {ReftableWriter().ref("HEAD", kOne).bytes()});
  RefStore refs = store();
  EXPECT_FALSE(refs.use(RefStorage::kReftable));
  EXPECT_TRUE(refs.use(RefStorage::kFiles));
  EXPECT_FALSE(refs.head().ok()) << "what stands in for HEAD is none";
  write_whole_file(git_dir_ + "/HEAD", kTwo.hex());
  EXPECT_EQ(*refs.head(), (Head{true, "", kTwo}));
  EXPECT_TRUE(refs.use(RefStorage::kReftable));
  EXPECT_EQ(*refs.head(), (Head{true, "", kOne}));
}

TEST_F(RefTablesTest, WhatTellsOfAnotherHeadWithoutConfig) {
  FileSystem& fs = posix_file_system();
  const std::string list = "/reftable/tables.list";
  EXPECT_EQ(files_around_head(fs, git_dir_, git_dir_),
            (std::vector<std::string>{git_dir_ + "/HEAD", git_dir_ + list}));
  write_whole_file(side_ + "/HEAD", "ref: refs/heads/.invalid");
  EXPECT_EQ(files_around_head(fs, side_, git_dir_),
            (std::vector<std::string>{side_ + "/HEAD", side_ + list, git_dir_ + list}));
  write_whole_file(side_ + "/HEAD", "ref: refs/heads/main\n");
  EXPECT_EQ(files_around_head(fs, side_, git_dir_),
            (std::vector<std::string>{side_ + "/HEAD", git_dir_ + "/packed-refs",
                                      git_dir_ + "/refs/heads/main"}));
}

TEST(RefStorage, OnlyWhatIsServedHasAName) {
  EXPECT_EQ(*parse_ref_storage("files"), RefStorage::kFiles);
  EXPECT_EQ(*parse_ref_storage("reftable"), RefStorage::kReftable);
  for (const char* value : {"", "Files", "reftable://elsewhere", "files:///tmp", "other"}) {
    EXPECT_EQ(parse_ref_storage(value).error().code, ErrorCode::kUnsupported) << value;
  }
}

}  // namespace
}  // namespace resident
