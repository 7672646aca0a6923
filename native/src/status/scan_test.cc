#include "status/scan.h"

#include <filesystem>

#include "status/scan_test_support.h"
#include "testing/counting_file_system.h"
#include "testing/fake_file_system.h"
#include "testing/fake_watcher.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

class ScanOfATreeTest : public ScanTest {
 protected:
  ScanOfATreeTest() {
    for (int i = 0; i < 400; ++i) {
      repo_.write(
          "d" + std::to_string(i % 13) + "/e" + std::to_string(i % 5) + "/f" + std::to_string(i),
          "0");
    }
    repo_.write("d1/.gitignore", "*.o\n/out\n");
    repo_.git({"add", "-A"});
    for (int i = 0; i < 60; ++i)
      repo_.write("u" + std::to_string(i % 7) + "/v/f" + std::to_string(i), "0");
    for (const char* path : {"d1/x.o", "d1/out/f", "d1/e1/y.o", "d2/new"}) repo_.write(path, "1");
    for (int i = 0; i < 400; i += 17) {
      stdfs::remove(at("d" + std::to_string(i % 13) + "/e" + std::to_string(i % 5) + "/f" +
                       std::to_string(i)));
    }
    repo_.write("d3/e3/f3", "changed");
    stdfs::remove_all(at("d5"));
  }
};

TEST_F(ScanOfATreeTest, AnyNumberOfThreadsFindsTheSame) {
  const Scanned one = scan(1);
  EXPECT_EQ(one.text().find(" ?\n"), std::string::npos) << "every entry has a state";
  for (unsigned threads : {2u, 4u, 9u}) {
    const Scanned many = scan(threads);
    EXPECT_EQ(many.text(), one.text()) << threads;
    EXPECT_EQ(many.findings.lstats, one.findings.lstats);
    EXPECT_EQ(many.findings.directories, one.findings.directories);
  }
}

TEST_F(ScanOfATreeTest, EachDirectoryIsReadOnceAndEachTrackedFileLookedAtOnce) {
  testing::CountingFileSystem fs;
  const Scanned scanned = scan(1, fs);
  size_t nodes = 0, there = 0;
  for_each_node(*scanned.top, [&](DirectoryNode&) { ++nodes; });
  for (const EntryState& state : scanned.states) there += !state.is_absent();
  EXPECT_EQ(fs.calls().list, nodes);
  EXPECT_EQ(scanned.findings.directories, nodes);
  EXPECT_EQ(scanned.findings.lstats, there);
  EXPECT_EQ(fs.calls().stat_at, there);
}

TEST_F(ScanOfATreeTest, ForTrackedFilesAloneNothingIsListed) {
  stdfs::remove(at("d1/e1/f1"));
  repo_.write("d1/e1/f1/a file below", "0");
  stdfs::remove_all(at("d2/e2"));
  repo_.write("d2/e2", "a file in the place of a directory");
  stdfs::remove_all(at("d3/e4"));
  stdfs::create_directory_symlink(at("d3/e3"), at("d3/e4"));
  const Scanned all = scan(2);
  testing::CountingFileSystem fs;
  const Scanned tracked = scan(2, fs, nullptr, UntrackedNeed::kNone);
  ASSERT_EQ(tracked.states.size(), all.states.size());
  for (uint32_t i = 0; i < all.states.size(); ++i) {
    EXPECT_EQ(tracked.states[i], all.states[i]) << all.index->path(i);
  }
  EXPECT_TRUE(tracked.findings.with_others.empty());
  EXPECT_EQ(fs.calls().list, 0u);
  EXPECT_EQ(fs.calls().stat_directory, 0u);
  EXPECT_LE(fs.calls().open, all.index->directories().size() + 1);
  EXPECT_LE(fs.calls().stat_at, all.index->entries().size());
  EXPECT_EQ(tracked.findings.lstats, fs.calls().stat_at);
}

TEST_F(ScanTest, AnUntrackedDirectoryIsReadUpToItsFirstFile) {
  repo_.write(".gitignore", "*.o\n/out/\n");
  repo_.git({"add", "-A"});
  for (int i = 0; i < 50; ++i) {
    repo_.write("modules/m" + std::to_string(i) + "/src/f", "0");
    repo_.write("built/b" + std::to_string(i) + "/f.o", "0");
    repo_.write("out/o" + std::to_string(i) + "/f", "0");
  }
  testing::CountingFileSystem fs;
  const Scanned scanned = scan(2, fs, nullptr, UntrackedNeed::kFirst);
  EXPECT_EQ(fs.calls().list, 1u + 3u + 51u) << "the root, one way into modules, all of built";
}

TEST_F(ScanTest, ASubmoduleIsReadOnlyToBeWatched) {
  repo_.git({"init", "-q", "sub"});
  repo_.write("sub/deep/f", "0");
  repo_.git({"-C", "sub", "commit", "-q", "--allow-empty", "-m", "1"});
  repo_.git({"-c", "advice.addEmbeddedRepo=false", "add", "sub"});
  EXPECT_EQ(scan().findings.directories, 1u) << "the root";
  testing::FakeWatcher watcher(posix_file_system());
  EXPECT_EQ(scan(1, posix_file_system(), &watcher).findings.directories, 3u);
}

TEST_F(ScanOfATreeTest, EveryDirectoryIsWatchedBeforeItIsRead) {
  testing::CountingFileSystem fs;
  testing::FakeWatcher watcher(fs);
  uint64_t added = 0;
  watcher.on_add(
      [&] { EXPECT_EQ(fs.calls().list, added++) << "add comes first, then the listing"; });
  const Scanned scanned = scan(1, fs, &watcher);
  EXPECT_EQ(scanned.findings.watched.size(), scanned.findings.directories);
  EXPECT_EQ(watcher.watches(), scanned.findings.directories);
  EXPECT_FALSE(watcher.is_watched(at(".git")));
  EXPECT_FALSE(watcher.is_watched(at("d1/out"))) << "ignored";
  EXPECT_TRUE(watcher.is_watched(at("u1/v")));
}

TEST_F(ScanOfATreeTest, WhatTheLimitLeavesIsListed) {
  testing::FakeWatcher watcher(posix_file_system());
  watcher.limit(5);
  const Scanned scanned = scan(3, posix_file_system(), &watcher);
  EXPECT_EQ(scanned.findings.watched.size(), 5u);
  EXPECT_EQ(scanned.findings.unwatched.size(), scanned.findings.directories - 5);
}

TEST_F(ScanOfATreeTest, AnUnreadableDirectoryIsToldAndItsFilesStillLookedAt) {
  testing::CountingFileSystem fs;
  using Call = testing::CountingFileSystem::Call;
  fs.set_fault([](Call call, std::string_view path) -> std::optional<Error> {
    if (call == Call::kOpen && path == "e2")
      return Error{ErrorCode::kPermission, "e2: Permission denied"};
    return std::nullopt;
  });
  const Scanned scanned = scan(2, fs);
  EXPECT_EQ(scanned.text().find(" ?\n"), std::string::npos);
  EXPECT_NE(scanned.text().find("/d2/e2/ unreadable"), std::string::npos);
  EXPECT_EQ(scanned.findings.problems.size(), 12u) << "of d0 to d12, d5 is gone";
  EXPECT_NE(scanned.findings.problems[0].find("e2"), std::string::npos);
}

// A scan of files in memory, without a repository.
class ScanInMemoryTest : public ::testing::Test {
 protected:
  ScanFindings scan() {
    auto index = Index::load("", {});
    EXPECT_TRUE(index.ok());
    index_ = *index;
    const WorktreeSettings settings;
    const ContentCache known;
    const std::string root = "/w";
    const ExcludeRules rules;
    FileContent content({fs_, root, HashAlgorithm::kSha1, true});
    std::vector<EntryState> states;
    const ScanContext context{{fs_, root, *index_, settings, content, known},
                              states,
                              rules,
                              nullptr,
                              nullptr,
                              "/w/.git",
                              [](uint32_t) -> Result<std::string> {
                                return Error{ErrorCode::kNotFound, ""};
                              },
                              2,
                              nullptr,
                              nullptr,
                              nullptr};
    top_ = DirectoryNode();
    top_.index_directory = 0;
    return scan_subtree(context, top_, std::move(fs_.open_directory(root)).value());
  }
  testing::FakeFileSystem fs_;
  std::shared_ptr<const Index> index_;
  DirectoryNode top_;
};

TEST_F(ScanInMemoryTest, ClosesWhatItOpens) {
  for (int i = 0; i < 200; ++i)
    fs_.write("/w/" + std::to_string(i % 20) + "/" + std::to_string(i) + "/f", "1");
  EXPECT_EQ(scan().directories, 221u);
  EXPECT_EQ(fs_.open_directories(), 0u);
}

TEST_F(ScanInMemoryTest, AFileSystemThatDoesNotTellKinds) {
  fs_.write("/w/d/f", "1");
  fs_.make_symlink("/w/link", "d");
  fs_.make_special("/w/pipe");
  fs_.hide_kinds();
  (void)scan();
  ASSERT_NE(top_.find_child("d"), nullptr);
  ASSERT_NE(top_.find_other("link"), nullptr);
  EXPECT_EQ(top_.find_other("link")->kind, OtherKind::kFile);
  EXPECT_EQ(top_.find_other("pipe")->kind, OtherKind::kSpecial);
}

TEST_F(ScanInMemoryTest, AForbiddenDirectoryIsEmptyAndTold) {
  fs_.write("/w/d/f", "1");
  fs_.write("/w/e/f", "1");
  fs_.forbid("/w/d");
  const ScanFindings findings = scan();
  EXPECT_FALSE(top_.find_child("d")->readable());
  EXPECT_TRUE(top_.find_child("d")->others().empty());
  EXPECT_EQ(top_.find_child("e")->others().size(), 1u);
  ASSERT_EQ(findings.problems.size(), 1u);
  EXPECT_NE(findings.problems[0].find("/d/"), std::string::npos);
}

TEST_F(ScanInMemoryTest, ADirectoryReadInTheTickOfItsChangeIsNotRememberedAsSettled) {
  fs_.write("/w/d/f", "1");
  (void)scan();
  EXPECT_NE(top_.find_child("d")->mtime, fs_.stat("/w/d")->mtime)
      << "a file made later in this tick would leave the same time";
  // These times are whole seconds, as those of a file system that knows no others.
  fs_.tick();
  fs_.tick();
  (void)scan();
  EXPECT_EQ(top_.find_child("d")->mtime, fs_.stat("/w/d")->mtime);
}

}  // namespace
}  // namespace resident
