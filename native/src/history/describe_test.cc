// Compares the nearest tag with `git describe`.
#include "history/describe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>
#include <sstream>

#include "fs/linux/posix_file_system.h"
#include "testing/number_from.h"
#include "testing/reftable_writer.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

class DescribeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    repo_.init();
    const std::string version = repo_.git_line({"version"});
    int minor = 0;
    ASSERT_EQ(std::sscanf(version.c_str(), "git version 2.%d", &minor), 1) << version;
    options_.stops_at_last_candidate = minor >= 48;
  }

  // Imports commits c0, c1, ... of a random history, each with a branch.
  void import(std::mt19937& random, int size, bool dates_lie) {
    std::string stream;
    for (int i = 0; i < size; ++i) {
      const int64_t date = dates_lie ? 1 + random() % 2'000'000'000 : 1'600'000'000 + 10 * (i / 2);
      stream += "commit refs/heads/c" + std::to_string(i) + "\nmark :" + std::to_string(i + 1) +
                "\ncommitter A <a@x> " + std::to_string(date) + " +0000\ndata 2\n" +
                std::to_string(10 + i % 90) + "\n";
      const int parents = random() % 20 == 0   ? 0
                          : random() % 12 == 0 ? 4
                          : random() % 4 == 0  ? 2
                                               : 1;
      std::vector<int> of;
      for (int p = 0; p < parents && i > 0; ++p) {
        const int parent = i - 1 - static_cast<int>(random() % std::min(i, 5));
        if (std::find(of.begin(), of.end(), parent) != of.end()) continue;
        stream += (of.empty() ? "from :" : "merge :") + std::to_string(parent + 1) + "\n";
        of.push_back(parent);
      }
      stream += "M 100644 inline f\ndata 8\n" + std::to_string(10'000'000 + i) + "\n";
    }
    repo_.git({"fast-import", "--quiet"}, stream);
  }
  void tag_some(std::mt19937& random, int size, int count) {
    for (int i = 0; i < count; ++i) {
      const std::string name = "v" + std::to_string(i);
      const std::string commit = "c" + std::to_string(random() % size);
      repo_.set_date(1'600'000'000 + static_cast<int64_t>(random() % 1000));
      if (random() % 2) {
        repo_.git({"tag", name, commit});
      } else {
        repo_.git({"tag", "-a", "-m", name, name, commit});
        if (random() % 4 == 0) repo_.git({"tag", "-a", "-m", name, name + "-of", name});
        if (random() % 6 == 0) repo_.git({"update-ref", "refs/tags/alias-" + name, name});
        if (random() % 6 == 0) repo_.git({"tag", "-d", name});
      }
      if (random() % 8 == 0)
        repo_.git({"tag", "-a", "-m", "t", name + "-tree", commit + "^{tree}"});
      if (random() % 8 == 0) repo_.git({"pack-refs", "--all"});
      if (random() % 16 == 0) repo_.git({"repack", "-q", "-a", "-d"});
    }
  }

  Result<std::string> describe(const std::string& revision, const DescribeOptions& options,
                               size_t visits = SIZE_MAX) {
    const std::string git_dir = repo_.work() + "/.git";
    FileSystem& fs = posix_file_system();
    RESIDENT_TRY(auto objects, ObjectDatabase::open(posix_file_system(), git_dir + "/objects", {}));
    RefStore refs(git_dir, git_dir, HashAlgorithm::kSha1, fs, storage_);
    RESIDENT_CHECK(tags_.load(refs, *objects, is_partial_clone_));
    if (tags_.failure()) return *tags_.failure();
    const ObjectId commit = *ObjectId::from_hex(repo_.git_line({"rev-parse", revision}));
    RESIDENT_TRY(auto walk, Describe::begin(commit, tags_, options, *objects, fs, git_dir));
    std::optional<Description> found;
    while (!found) {
      RESIDENT_TRY(found, walk->step({.visits = visits, .reads = visits}));
    }
    return describe_text(*found, commit, *objects, length_);
  }
  std::string gits(const std::string& revision, const RepoBuilder::Arguments& options) {
    RepoBuilder::Arguments arguments = {"describe", "--always"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.push_back(revision);
    return repo_.git_line(arguments);
  }
  void expect_as_git(const std::string& revision) {
    for (const bool tags : {false, true}) {
      for (const size_t candidates : {size_t{0}, size_t{1}, size_t{3}, size_t{10}}) {
        DescribeOptions options = options_;
        options.tags = tags;
        options.candidates = candidates;
        RepoBuilder::Arguments words = {"--candidates=" + std::to_string(candidates)};
        if (tags) words.push_back("--tags");
        const auto ours = describe(revision, options, 1 + candidates * 7);
        ASSERT_TRUE(ours.ok()) << ours.error().message;
        if (candidates == 0) {
          // git only says that no tag matches.
          const auto exact =
              repo_.try_git({"describe", "--exact-match", tags ? "--tags" : "--no-tags", revision});
          EXPECT_EQ(exact.exit_code == 0 ? exact.out : "", exact.exit_code == 0 ? *ours + "\n" : "")
              << revision;
          continue;
        }
        EXPECT_EQ(*ours, gits(revision, words))
            << revision << " candidates " << candidates << " tags " << tags;
      }
    }
  }

  // If git fails, our code must leave the answer to git.
  void expect_as_git_or_nothing(const std::string& revision) {
    for (const bool tags : {false, true}) {
      options_.tags = tags;
      const auto gits =
          repo_.try_git({"describe", "--always", tags ? "--tags" : "--no-tags", revision});
      const auto ours = describe(revision, options_);
      EXPECT_EQ(ours.ok() ? *ours + "\n" : "", gits.exit_code == 0 ? gits.out : "")
          << revision << ": " << (ours.ok() ? "" : ours.error().message);
      if (ours.ok()) continue;
      EXPECT_EQ(ours.error().code, ErrorCode::kUnsupported);
    }
  }
  // Damages or removes the object, runs `check`, and restores the object.
  void without(const std::string& revision, const std::optional<std::string>& damage,
               const std::function<void()>& check) {
    const std::string object = repo_.loose_object(revision);
    const std::string content = testing::read_whole_file(object);
    const auto put = [&](const std::string& bytes) {
      std::filesystem::remove(object);
      testing::write_whole_file(object, bytes);
    };
    std::filesystem::remove(object);
    if (damage) put(*damage);
    check();
    put(content);
  }
  // Writes the current refs into a reftable beside them.
  void write_table_of_refs() {
    testing::ReftableWriter table;
    std::istringstream lines(repo_.git({"show-ref", "--dereference"}));
    std::string hex, name;
    std::optional<ObjectId> tag;
    while (lines >> hex >> name) {
      const ObjectId id = *ObjectId::from_hex(hex);
      if (name.ends_with("^{}")) {
        table.tag(name.substr(0, name.size() - 3), *tag, id);
      } else {
        table.ref(name, id);
      }
      tag = id;
    }
    testing::write_reftables(repo_.work() + "/.git", {table.bytes()});
  }

  RepoBuilder repo_;
  TagNames tags_;
  DescribeOptions options_;
  RefStorage storage_ = RefStorage::kFiles;
  bool is_partial_clone_ = false;
  std::optional<int> length_;  // --abbrev
};

TEST_F(DescribeTest, AsGitInRandomHistories) {
  // To run more seeds by hand, set RESIDENT_HISTORY_SEEDS=100.
  const unsigned seeds = testing::number_from("RESIDENT_HISTORY_SEEDS", 6);
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const std::string directory = "seed" + std::to_string(seed);
    repo_.init({}, directory);
    tags_ = {};
    const int size = 20 + static_cast<int>(random() % 60);
    import(random, size, seed % 3 == 2);
    tag_some(random, size, static_cast<int>(random() % 16));
    if (seed % 2) repo_.git({"commit-graph", "write", "--reachable"});
    for (int i = 0; i < 3; ++i) {
      expect_as_git("c" + std::to_string(size - 1 - random() % std::min(size, 15)));
    }
  }
}

TEST_F(DescribeTest, TagsComeAndGo) {
  repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
  expect_as_git("HEAD");
  repo_.git({"tag", "light"});
  repo_.git({"tag", "dir/other"});
  expect_as_git("HEAD");
  repo_.git({"tag", "-a", "-m", "heavy", "heavy"});
  repo_.git({"pack-refs", "--all"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  expect_as_git("HEAD");
  repo_.git({"tag", "-d", "heavy"});
  expect_as_git("HEAD");
  repo_.git({"tag", "tree", "HEAD^{tree}"});
  expect_as_git("HEAD");
}

TEST_F(DescribeTest, ARefThatIsCalledOtherwiseThanItsTagIsToldAsTheTag) {
  repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
  repo_.git({"tag", "-a", "-m", "heavy", "heavy"});
  repo_.git({"update-ref", "refs/tags/alias", "refs/tags/heavy"});
  expect_as_git("HEAD");
  repo_.git({"update-ref", "-d", "refs/tags/heavy"});
  expect_as_git("HEAD");
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  expect_as_git("HEAD");
}

TEST_F(DescribeTest, WhatATagLeadsToIsNotLookedAt) {
  repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
  repo_.write("f", "gone");
  const std::string blob = repo_.git_line({"hash-object", "-w", "f"});
  repo_.git({"tag", "-a", "-m", "of a blob", "blob", blob});
  repo_.git({"tag", "v1"});
  std::filesystem::remove(repo_.loose_object(blob));
  expect_as_git("HEAD");
}

// packed-refs has the peeled ids, so only the tag object of the nearest tag is read.
TEST_F(DescribeTest, OfPackedTagsOnlyTheNearestIsRead) {
  std::vector<std::string> gone;
  for (int i = 0; i < 4; ++i) {
    repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
    const std::string name = "v" + std::to_string(i);
    repo_.git({"tag", "-a", "-m", name, name});
    repo_.git({"tag", "-a", "-m", name, "of-" + name, name});
    repo_.git({"tag", "-d", name});
    if (i < 3) gone.push_back(repo_.loose_object("of-" + name));
  }
  repo_.git({"pack-refs", "--all"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  for (const std::string& tag : gone) std::filesystem::remove(tag);
  expect_as_git("HEAD");
  expect_as_git("HEAD~");
  EXPECT_EQ(tags_.objects_read(), 0u);
  // git dies if a name that it must print cannot be read.
  const auto missing = describe("HEAD~2", options_);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kUnsupported);

  // The peeled id from packed-refs is kept when the ref becomes loose.
  const std::string nearest = repo_.git_line({"rev-parse", "of-v3"});
  const uint64_t version = tags_.version();
  repo_.write(".git/refs/tags/of-v3", nearest + "\n");
  expect_as_git("HEAD");
  EXPECT_EQ(tags_.objects_read(), 0u);
  EXPECT_EQ(tags_.version(), version);
  repo_.git({"tag", "-a", "-m", "x", "loose", "HEAD~"});
  expect_as_git("HEAD");
  EXPECT_NE(tags_.version(), version);
  EXPECT_GT(tags_.objects_read(), 0u);
}

// The latest date wins, and only the tag objects have the dates.
TEST_F(DescribeTest, OfPackedTagsOfOneCommitAllAreRead) {
  for (int i = 0; i < 3; ++i) {
    repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
    for (int date : {20, 30, 10}) {
      repo_.set_date(1'600'000'000 + date);
      const std::string name = "v" + std::to_string(i) + "-" + std::to_string(date);
      repo_.git({"tag", "-a", "-m", name, name});
    }
    repo_.git({"tag", "light-" + std::to_string(i)});
  }
  repo_.git({"pack-refs", "--all"});
  for (const char* revision : {"HEAD", "HEAD~", "HEAD~2"}) expect_as_git(revision);
  EXPECT_EQ(describe("HEAD", options_).value(), "v2-30");
}

// Like packed-refs, reftables have the peeled ids.
TEST_F(DescribeTest, OfTagsInTablesTheNearestIsRead) {
  for (int i = 0; i < 3; ++i) {
    repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
    const std::string name = "v" + std::to_string(i);
    repo_.git({"tag", "-a", "-m", name, name});
    repo_.git({"tag", "-a", "-m", name, "of-" + name, name});
    repo_.git({"tag", "-d", name});
  }
  repo_.git({"tag", "light", "HEAD~2"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  write_table_of_refs();
  storage_ = RefStorage::kReftable;
  for (const char* revision : {"HEAD", "HEAD~", "HEAD~2", "HEAD~3"}) expect_as_git(revision);
  EXPECT_EQ(tags_.objects_read(), 1u) << "the commit of the one that is no tag object";
}

TEST_F(DescribeTest, AsGitWhereItKeepsTagsInTables) {
  if (repo_.try_git({"init", "--ref-format=reftable", "tables"}).exit_code != 0) {
    GTEST_SKIP() << "this git knows no reftables";
  }
  std::mt19937 random(7);
  repo_.init({"--ref-format=reftable"}, "tables");
  storage_ = RefStorage::kReftable;
  import(random, 40, false);
  tag_some(random, 40, 16);
  const auto check = [&] {
    for (const int commit : {39, 30, 12}) expect_as_git("c" + std::to_string(commit));
  };
  check();
  repo_.git({"pack-refs", "--all"});
  check();
  tags_ = {};
  check();
}

TEST_F(DescribeTest, GitGoesOnWhereATagObjectIsMissing) {
  repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
  repo_.git({"tag", "-a", "-m", "far", "far"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  const std::vector<std::string> names = {"c", "a", "b"};  // in order of date
  for (size_t i = 0; i < names.size(); ++i) {
    repo_.set_date(1'600'000'000 + static_cast<int64_t>(i));
    repo_.git({"tag", "-a", "-m", "near", names[i]});
  }
  repo_.git({"tag", "-a", "-m", "outer", "outer", "a"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "three"});
  const auto check = [&] {
    for (const char* revision : {"HEAD", "HEAD~"}) expect_as_git_or_nothing(revision);
  };
  for (const bool packed : {false, true}) {
    SCOPED_TRACE(packed ? "packed" : "loose");
    if (packed) repo_.git({"pack-refs", "--all"});
    for (unsigned missing = 0; missing < 8; ++missing) {
      std::function<void()> look = [&] {
        tags_ = {};
        check();
      };
      for (size_t i = 0; i < names.size(); ++i) {
        if (!(missing >> i & 1)) continue;
        look = [&, i, inner = look] { without(names[i], std::nullopt, inner); };
      }
      SCOPED_TRACE(missing);
      look();
      // All objects exist again.
      check();
      EXPECT_FALSE(tags_.lacks_any());
    }
    tags_ = {};
    without("outer", std::nullopt, check);
  }
}

TEST_F(DescribeTest, OfADamagedTagObjectOnlyGitCanTell) {
  repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
  repo_.git({"tag", "-a", "-m", "far", "far"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  repo_.git({"tag", "-a", "-m", "near", "near"});
  const auto is_unsupported = [&] {
    const auto said = describe("HEAD~", options_);
    ASSERT_FALSE(said.ok()) << *said;
    EXPECT_EQ(said.error().code, ErrorCode::kUnsupported);
  };
  without("near", "rubbish", is_unsupported);
  EXPECT_EQ(describe("HEAD~", options_).value(), "far");
  // git would fetch a missing object.
  is_partial_clone_ = true;
  tags_ = {};
  without("near", std::nullopt, is_unsupported);
  EXPECT_EQ(describe("HEAD", options_).value(), "near");
}

TEST_F(DescribeTest, OnlyTheTagWithoutAnId) {
  repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
  repo_.git({"tag", "-a", "-m", "heavy", "heavy"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  for (const int length : {0, 4, 12, 40}) {
    length_ = length;
    EXPECT_EQ(describe("HEAD", options_).value(),
              gits("HEAD", {"--abbrev=" + std::to_string(length)}));
  }
}

TEST_F(DescribeTest, WhatOnlyGitCanTellIsUnsupported) {
  repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
  repo_.git({"tag", "-a", "-m", "heavy", "heavy"});
  EXPECT_TRUE(describe("HEAD", options_).ok());
  std::filesystem::create_directories(repo_.work() + "/.git/info");
  testing::write_whole_file(repo_.work() + "/.git/info/grafts", "");
  const auto grafted = describe("HEAD~0", options_);
  ASSERT_FALSE(grafted.ok());
  EXPECT_EQ(grafted.error().code, ErrorCode::kUnsupported);
  std::filesystem::remove(repo_.work() + "/.git/info/grafts");
}

}  // namespace
}  // namespace resident
