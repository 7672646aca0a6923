#include "status/scan.h"

#include <filesystem>
#include <functional>

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

TEST_F(ScanOfATreeTest, WhereThereIsNothingToListIsKnownAfterIt) {
  for (unsigned threads : {1u, 4u}) {
    const Scanned scanned = scan(threads);
    size_t with_nothing = 0;
    const std::function<void(const DirectoryNode&)> check = [&](const DirectoryNode& node) {
      for (const auto& child : node.children()) check(*child);
      const bool known = node.has_nothing_to_list();
      node.find_nothing_to_list();
      if (node.is_tracked()) {
        EXPECT_EQ(known, node.has_nothing_to_list()) << node.path();
      }
      with_nothing += known;
    };
    check(*scanned.top);
    EXPECT_GT(with_nothing, 50u);
    EXPECT_FALSE(scanned.top->has_nothing_to_list());
    EXPECT_FALSE(scanned.top->find_child("d2")->has_nothing_to_list()) << "d2/new";
    EXPECT_TRUE(scanned.top->find_child("d4")->has_nothing_to_list());
  }
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
  const Scanned tracked = scan(2, fs, nullptr, {UntrackedNeed::kNone});
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

PathLimit limited_to(const std::vector<std::string>& arguments) {
  auto pathspec = Pathspec::parse(arguments, {});
  EXPECT_TRUE(pathspec.ok());
  return {std::make_shared<const Pathspec>(*pathspec), nullptr};
}

class ScanForOneQuestionTest : public ScanTest {
 protected:
  ScanForOneQuestionTest() {
    repo_.write(".gitignore", "*.o\n/out/\n");
    repo_.write("src/deep/f", "0");
    repo_.write("src/deep/g", "0");
    repo_.write("src/other/f", "0");
    repo_.write("src/f", "0");
    repo_.git({"add", "-A"});
    for (int i = 0; i < 50; ++i) {
      repo_.write("modules/m" + std::to_string(i) + "/src/f", "0");
      repo_.write("built/b" + std::to_string(i) + "/f.o", "0");
      repo_.write("out/o" + std::to_string(i) + "/f", "0");
    }
    repo_.write("src/deep/new", "0");
    repo_.write("src/deep/h.o", "0");
    repo_.write("src/f", "changed");
    repo_.write("src/deep/g", "changed");
  }
  UntrackedLists untracked(const Scanned& scanned, const PathLimit& limit) {
    auto lists = untracked_view(posix_file_system(), repo_.work(), *scanned.index, *scanned.top,
                                {UntrackedMode::kNormal, IgnoredMode::kNo, limit});
    EXPECT_TRUE(lists.ok());
    return *lists;
  }
  // Number of listed directories for the normal mode.
  uint64_t listed_for(const PathLimit& limit) {
    testing::CountingFileSystem fs;
    (void)scan(2, fs, nullptr, {UntrackedNeed::kFirst, limit, true});
    EXPECT_EQ(fs.calls().stat_directory, 0u);
    return fs.calls().list;
  }
};

TEST_F(ScanForOneQuestionTest, AnUntrackedDirectoryIsReadUpToItsFirstFile) {
  const uint64_t tracked = 4;
  EXPECT_EQ(listed_for({}), tracked + 3 + 51) << "one way into modules, all of built";
}

TEST_F(ScanForOneQuestionTest, AboveWhereThePathspecBeginsNothingIsListed) {
  EXPECT_EQ(listed_for(limited_to({"src/deep/"})), 1u);
  EXPECT_EQ(listed_for(limited_to({"src/deep/f", "src/deep/g"})), 1u);
  EXPECT_EQ(listed_for(limited_to({"src/f"})), 1u);
  EXPECT_EQ(listed_for(limited_to({"modules/m1/src/*.c"})), 1u);
  EXPECT_EQ(listed_for(limited_to({"out/o1/"})), 0u) << "ignored";
  EXPECT_EQ(listed_for(limited_to({"none/at/all"})), 0u);
  testing::CountingFileSystem fs;
  (void)scan(1, fs, nullptr, {UntrackedNeed::kFirst, limited_to({"src/deep/f"}), true});
  EXPECT_EQ(fs.calls().open, 3u) << "the root, src and deep";
  EXPECT_EQ(fs.calls().stat_at, 3u) << "src, deep and f";
}

TEST_F(ScanForOneQuestionTest, OfAnUntrackedDirectoryNoMoreIsReadThanThePathspecAsks) {
  EXPECT_EQ(listed_for(limited_to({"modules/"})), 3u) << "one way";
  EXPECT_EQ(listed_for(limited_to({"modules", "built/b1"})), 1u + 3 + 2) << "and the root";
  EXPECT_EQ(listed_for(limited_to({".", ":!built"})), 4u + 3) << "and nothing of built";
}

TEST_F(ScanForOneQuestionTest, TheAnswerIsThatOfAScanOfEverything) {
  repo_.git({"init", "-q", "modules/nested"});
  repo_.git({"init", "-q", "src/nested"});
  stdfs::remove_all(at("src/other"));
  const Scanned all = scan(2);
  const std::vector<std::vector<std::string>> asked = {
      {"src"},          {"src/"},          {"src/deep"},         {"src/deep/*"},
      {"src/f"},        {"src/other/f"},   {"src/nested/x"},     {"modules"},
      {"modules/m1"},   {"modules/m1/"},   {"modules/m1/src/f"}, {"modules/nested"},
      {"modules/n*/x"}, {"built"},         {"built/b1/f.o"},     {"out/o1"},
      {"*.c", "*/f"},   {":(glob)*/m2/*"}, {".", ":!modules"},   {".", ":!modules/m*"},
      {"none"},         {"none/at/all"},   {"src/f/below"},      {"src/deep", "modules/m3/x"}};
  for (const auto& arguments : asked) {
    const PathLimit limit = limited_to(arguments);
    const Scanned some =
        scan(2, posix_file_system(), nullptr, {UntrackedNeed::kFirst, limit, true});
    EXPECT_EQ(untracked(some, limit).untracked, untracked(all, limit).untracked) << arguments[0];
    for (uint32_t i = 0; i < all.states.size(); ++i) {
      if (!limit.has_entry(*all.index, i)) continue;
      EXPECT_EQ(some.states[i], all.states[i]) << arguments[0] << ": " << all.index->path(i);
    }
  }
}

TEST_F(ScanTest, ARepositoryInPlaceOfAFileIsThereOnceItsHeadLeadsToACommit) {
  repo_.write("sha1", "");
  repo_.write("sha256", "");
  repo_.git({"add", "-A"});
  for (const char* hash : {"sha1", "sha256"}) {
    stdfs::remove(at(hash));
    repo_.git({"init", "-q", "-b", "main", std::string("--object-format=") + hash, hash});
    const auto state = [&] {
      const Scanned found = scan();
      return found.states[*found.index->find_path(hash)];
    };
    EXPECT_TRUE(state().is_absent()) << hash;
    repo_.git({"-C", hash, "commit", "-q", "--allow-empty", "-m", "first"});
    EXPECT_EQ(state(), EntryState::present(0160000, true)) << hash;
    repo_.git({"-C", hash, "checkout", "-q", "--detach"});
    EXPECT_EQ(state(), EntryState::present(0160000, true)) << hash;
    repo_.git({"-C", hash, "checkout", "-q", "--orphan", "other"});
    EXPECT_TRUE(state().is_absent()) << hash;
  }
}

TEST_F(ScanForOneQuestionTest, ALargeUntrackedDirectoryIsNotListedToItsEnd) {
  repo_.write("large/.gitignore", "*.tmp\n");
  for (int i = 0; i < 6000; ++i) repo_.write("large/" + std::to_string(i) + ".a-long-name", "");
  testing::CountingFileSystem fs;
  const Scanned scanned =
      scan(1, fs, nullptr, {UntrackedNeed::kFirst, limited_to({"large/"}), true});
  EXPECT_EQ(fs.calls().list_more, 2u);
  EXPECT_EQ(untracked(scanned, {}).untracked, std::vector<std::string>{"large/"});
  // The whole directory is read if no file counts, and its own patterns apply.
  repo_.write("large/.gitignore", "*\n");
  fs.calls().reset();
  const Scanned ignored =
      scan(1, fs, nullptr, {UntrackedNeed::kFirst, limited_to({"large/"}), true});
  EXPECT_GT(fs.calls().list_more, 3u);
  EXPECT_TRUE(untracked(ignored, {}).untracked.empty());
}

TEST_F(ScanOfATreeTest, ForOneAnswerDirectoriesAreNotKnownAgain) {
  testing::CountingFileSystem fs;
  const Scanned once = scan(2, fs, nullptr, {.once = true});
  EXPECT_EQ(fs.calls().stat_directory, 0u);
  const uint64_t calls = fs.calls().total();
  fs.calls().reset();
  EXPECT_EQ(once.text(), scan(2, fs).text());
  EXPECT_LT(calls, fs.calls().total());
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

TEST_F(ScanOfATreeTest, WithoutFastAccessTheFindingsAreTheSame) {
  for (const UntrackedNeed need :
       {UntrackedNeed::kNone, UntrackedNeed::kFirst, UntrackedNeed::kAll}) {
    const Asked asked{.untracked = need, .once = true};
    testing::CountingFileSystem plain;
    plain.be_plain();
    const std::string found = scan(3, plain, nullptr, asked).text();
    EXPECT_EQ(found, scan(3, posix_file_system(), nullptr, asked).text());
    EXPECT_EQ(plain.calls().list_more, 0u);
  }
}

TEST_F(ScanTest, APathThatTheSystemDoesNotAllowIsNotSeen) {
  repo_.write("d/name-of-16-bytes", "0");
  repo_.write("d/short", "0");
  repo_.git({"add", "-A"});
  const auto states = [&](const Capabilities& claimed) {
    testing::CountingFileSystem fs(claimed);
    const Scanned found = scan(1, fs);
    return std::pair(found.states[0] == EntryState::unseen(),
                     found.states[1] == EntryState::unseen());
  };
  EXPECT_EQ(states({}), std::pair(false, false));
  EXPECT_EQ(states({.max_name = 15}), std::pair(true, false));
  EXPECT_EQ(states({.max_name = 16, .max_path = 18}), std::pair(true, false));
  EXPECT_EQ(states({.max_name = 1, .max_path = 2}), std::pair(true, true));
}

TEST_F(ScanTest, AnotherSpellingOfANameIsTheFileWhereCaseDoesNotCount) {
  repo_.write("File", "0");
  repo_.git({"add", "-A"});
  for (const bool case_sensitive : {false, true}) {
    testing::FakeFileSystem fs({.case_sensitive = case_sensitive});
    fs.write(at("fILE"), "0");
    EXPECT_EQ(scan(1, fs).states[0].is_absent(), case_sensitive);
  }
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

TEST_F(ScanTest, WhatIsNotListedWhereNothingCanBeLookedUpIsNotAbsent) {
  repo_.write("d/f", "0");
  repo_.write("d/g", "0");
  repo_.git({"add", "-A"});
  stdfs::remove(at("d/f"));
  stdfs::remove(at("d/g"));
  stdfs::permissions(at("d"), stdfs::perms::owner_read);
  testing::CountingFileSystem fs;
  using Call = testing::CountingFileSystem::Call;
  fs.set_fault([](Call call, std::string_view path) -> std::optional<Error> {
    if (call != Call::kStat || path == "d") return std::nullopt;
    return Error{ErrorCode::kPermission, std::string(path) + ": Permission denied"};
  });
  for (const bool once : {false, true}) {
    const Scanned scanned = scan(1, fs, nullptr, {.once = once});
    for (const EntryState& state : scanned.states) EXPECT_EQ(state, EntryState::unseen());
    EXPECT_FALSE(scanned.top->find_child("d")->patterns_readable());
  }
  stdfs::permissions(at("d"), stdfs::perms::owner_all);
}

// Scans files in memory, without a repository.
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
  // These times are whole seconds, like on a file system without fractions.
  fs_.tick();
  fs_.tick();
  (void)scan();
  EXPECT_EQ(top_.find_child("d")->mtime, fs_.stat("/w/d")->mtime);
}

}  // namespace
}  // namespace resident
