// refresh() gives the same index as load(), or changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>

#include "index/index_test_support.h"

namespace resident {
namespace {

using namespace testing;

// Compares all data of two indexes.
void expect_same(const Index& a, const Index& b) {
  EXPECT_EQ(told_by_us(a), told_by_us(b));
  EXPECT_EQ(a.stat(), b.stat());
  EXPECT_EQ(a.version(), b.version());
  EXPECT_EQ(a.checksum(), b.checksum());
  EXPECT_EQ(a.untracked_cache_place(), b.untracked_cache_place());
  EXPECT_TRUE(std::ranges::equal(a.gitlinks(), b.gitlinks()));
  EXPECT_EQ(a.may_intend_to_add() || b.may_intend_to_add(), a.may_intend_to_add())
      << "it may stay, and never be missing";
  ASSERT_EQ(a.cache_tree() != nullptr, b.cache_tree() != nullptr);
  if (a.cache_tree()) {
    ASSERT_EQ(a.cache_tree()->nodes().size(), b.cache_tree()->nodes().size());
    for (size_t i = 0; i < a.cache_tree()->nodes().size(); ++i) {
      const CacheTree::Node& one = a.cache_tree()->nodes()[i];
      const CacheTree::Node& other = b.cache_tree()->nodes()[i];
      EXPECT_EQ(one.entry_count, other.entry_count);
      EXPECT_EQ(one.directory, other.directory);
      EXPECT_TRUE(!one.valid() || a.cache_tree()->id(one) == b.cache_tree()->id(other));
    }
  }
  ASSERT_EQ(a.directories().size(), b.directories().size());
  for (size_t d = 0; d < a.directories().size(); ++d) {
    EXPECT_EQ(a.directories()[d].cache_tree, b.directories()[d].cache_tree);
  }
  expect_consistent(a);
}

class IndexRefresh : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  IndexRefresh() {
    auto [version, format] = GetParam();
    repo_.init({std::string("--object-format=") + format});
    options_.algorithm =
        std::string(format) == "sha1" ? HashAlgorithm::kSha1 : HashAlgorithm::kSha256;
    repo_.git({"config", "index.version", version});
    fill(repo_);
    repo_.git({"commit", "-qm", "1"});
    repo_.git({"update-index", "--force-write-index", "--index-version", version});
    index_ = read();
  }

  std::shared_ptr<Index> read() {
    auto index = Index::load(index_path(repo_), options_);
    EXPECT_TRUE(index.ok());
    return *index;
  }
  static std::map<PathAndStage, uint32_t> positions(const Index& index) {
    std::map<PathAndStage, uint32_t> found;
    for (uint32_t i = 0; i < index.entries().size(); ++i) {
      found[{index.path(i), index.entries()[i].stage()}] = i;
    }
    return found;
  }
  // Expects exactly the added, removed and changed entries, and those whose racily clean state
  // changed.
  static void expect_told(const Index& before, const Index& now, const Index::Refreshed& told) {
    std::vector<uint32_t> entries, added, removed;
    const auto known = positions(before);
    const auto anew = positions(now);
    for (const auto& [path, j] : anew) {
      const auto at = known.find(path);
      if (at == known.end()) {
        added.push_back(j);
        entries.push_back(j);
        continue;
      }
      const uint32_t i = at->second;
      const IndexEntry& a = before.entries()[i];
      const IndexEntry& b = now.entries()[j];
      if (a.stat != b.stat || a.mode != b.mode || a.flags != b.flags || before.id(i) != now.id(j) ||
          is_racy(a, before.mtime()) != is_racy(b, now.mtime())) {
        entries.push_back(j);
      }
      EXPECT_EQ(told.moves.now(i), j) << path.first;
    }
    std::vector<std::string> gone, told_gone;
    for (const auto& [path, i] : known) {
      if (anew.contains(path)) continue;
      removed.push_back(i);
      EXPECT_EQ(told.moves.now(i), std::nullopt) << path.first;
    }
    std::sort(entries.begin(), entries.end());
    std::sort(added.begin(), added.end());
    std::sort(removed.begin(), removed.end());
    EXPECT_EQ(told.entries, entries);
    EXPECT_TRUE(std::ranges::equal(told.moves.added(), added));
    EXPECT_TRUE(std::ranges::equal(told.moves.removed(), removed));
    for (const uint32_t i : removed) gone.push_back(before.path(i));
    for (const auto& [directory, name] : told.removed) {
      const std::string path = now.directory_path(directory);
      told_gone.push_back(path.empty() ? name : path + "/" + name);
    }
    EXPECT_EQ(told_gone, gone);
  }
  bool refreshes(bool may_move = false) {
    const Index before = *index_;
    const std::shared_ptr<Index> anew = read();
    const auto refreshed = index_->refresh(index_path(repo_), options_, may_move);
    expect_same(*index_, refreshed ? *anew : before);
    if (!refreshed) return false;
    EXPECT_TRUE(may_move || refreshed->moves.empty());
    expect_told(before, *anew, *refreshed);
    compared_ = refreshed->compared;
    return true;
  }
  // Makes all files old, so that no entry is racily clean.
  void age() {
    for (const auto& file : std::filesystem::recursive_directory_iterator(repo_.work())) {
      if (file.path().string().find("/.git/") != std::string::npos || !file.is_regular_file()) {
        continue;
      }
      const auto written = std::filesystem::last_write_time(file);
      if (written < start_) continue;
      std::filesystem::last_write_time(file, start_ - std::chrono::hours(1));
    }
    repo_.try_git({"update-index", "-q", "--refresh", "--force-write-index"});
  }

  const std::filesystem::file_time_type start_ =
      std::filesystem::file_time_type::clock::now() - std::chrono::minutes(10);
  RepoBuilder repo_;
  Index::LoadOptions options_;
  std::shared_ptr<Index> index_;
  size_t compared_ = 0;  // set by the last refresh
};

TEST_P(IndexRefresh, TheSamePaths) {
  EXPECT_TRUE(refreshes());
  repo_.write("b/deep/er/file", "other");
  const std::string id = repo_.git_line({"rev-parse", "HEAD"});
  const std::vector<RepoBuilder::Arguments> steps = {
      {"add", "-u"},
      {"update-index", "--chmod=+x", "a", "a0", "b/x"},
      {"commit", "-qm", "2"},
      {"update-index", "--assume-unchanged", "a.c"},
      {"update-index", "--skip-worktree", "b/x", "Makefile"},
      {"update-index", "--no-skip-worktree", "b/x", "Makefile"},
      {"read-tree", "HEAD"},  // no stat data
      {"update-index", "-q", "--refresh"},
      {"update-index", "--cacheinfo", "160000", id, "c/only/d/one"},
      {"reset", "-q", "--hard"},
      {"update-index", "--force-write-index", "--index-version", "4"},
      {"update-index", "--force-write-index", "--index-version", "2"},
      {"update-index", "--untracked-cache"},
  };
  for (size_t i = 0; i < steps.size(); ++i) {
    repo_.git(steps[i]);
    EXPECT_TRUE(refreshes()) << "step " << i;
  }
}

TEST_P(IndexRefresh, RunsWithTheSameBytesAreNotCompared) {
  age();
  index_ = read();
  EXPECT_TRUE(refreshes());
  EXPECT_EQ(compared_, index_->entries().size()) << "of none the bytes are known";
  const size_t last_run = 1;  // "with space": the end of the last run is unknown
  EXPECT_TRUE(refreshes());
  EXPECT_EQ(compared_, last_run);
  // The files b/deep.txt, b/deep/ and b/x are three runs.
  repo_.git({"update-index", "--chmod=+x", "b/x"});
  EXPECT_TRUE(refreshes());
  EXPECT_EQ(compared_, 1 + last_run);
  EXPECT_TRUE(refreshes());
  EXPECT_EQ(compared_, last_run);
  // Entries behind it move in the file by the size of the extended flags, or not at all.
  repo_.git({"update-index", "--skip-worktree", "b/x"});
  EXPECT_TRUE(refreshes());
  repo_.git({"update-index", "--skip-worktree", "a"});
  EXPECT_TRUE(refreshes());
  EXPECT_LT(compared_, index_->entries().size() / 2);
  EXPECT_TRUE(refreshes());
  EXPECT_EQ(compared_, last_run);
  // All entries become racily clean, without a change of their bytes.
  const std::filesystem::file_time_type long_ago =
      std::filesystem::last_write_time(index_path(repo_)) - std::chrono::hours(2);
  std::filesystem::last_write_time(index_path(repo_), long_ago);
  EXPECT_TRUE(refreshes());
  EXPECT_EQ(compared_, index_->entries().size());
}

TEST_P(IndexRefresh, ASubmoduleIsNotRacilyClean) {
  age();
  repo_.git({"init", "-q", std::string("--object-format=") + std::get<1>(GetParam()), "b/sub"});
  repo_.git({"-C", "b/sub", "commit", "-q", "--allow-empty", "-m", "1"});
  repo_.git({"add", "b/sub"});
  const auto written = std::filesystem::last_write_time(index_path(repo_));
  std::filesystem::last_write_time(index_path(repo_), start_);
  index_ = read();
  const IndexEntry& submodule = index_->entries()[*index_->find_path("b/sub")];
  ASSERT_TRUE(is_racy(submodule.stat.mtime_seconds, index_->mtime()));
  std::filesystem::last_write_time(index_path(repo_), written + std::chrono::hours(1));
  const auto refreshed = index_->refresh(index_path(repo_), options_);
  ASSERT_TRUE(refreshed.has_value());
  EXPECT_TRUE(refreshed->empty());
}

TEST_P(IndexRefresh, OtherPathsAreLeftToLoad) {
  const auto expect_left = [&](const std::string& what) {
    EXPECT_FALSE(refreshes()) << what;
    index_ = read();
  };
  const std::string id = repo_.git_line({"rev-parse", "HEAD:a0"});
  repo_.git({"update-index", "--index-info"},
            "0 " + std::string(id.size(), '0') + "\ta0\n100644 " + id + " 1\ta0\n");
  expect_left("another stage");
  repo_.write("b/new", "1");
  const std::vector<RepoBuilder::Arguments> steps = {
      {"reset", "-q", "--hard"},           {"add", "b/new"},
      {"rm", "-q", "--cached", "a"},       {"mv", "b/x", "b/y"},
      {"mv", "c/only/d", "c/only/e"},      {"mv", "b/deep/other", "b/other"},
      {"reset", "-q", "--hard"},           {"read-tree", "--empty"},
      {"reset", "-q", "--hard"},           {"update-index", "--split-index"},
      {"update-index", "--chmod=+x", "a"},
  };
  for (size_t i = 0; i < steps.size(); ++i) {
    repo_.git(steps[i]);
    expect_left("step " + std::to_string(i));
  }
  std::filesystem::remove(index_path(repo_));
  EXPECT_FALSE(index_->refresh(index_path(repo_), options_));
}

TEST_P(IndexRefresh, PathsComeAndGo) {
  age();
  index_ = read();
  EXPECT_TRUE(refreshes(true));
  const auto add = [&](const std::string& path) {
    repo_.write(path, "of " + path);
    repo_.git({"add", path});
  };
  const auto expect_taken = [&](const std::string& what) {
    EXPECT_TRUE(refreshes(true)) << what;
    EXPECT_TRUE(refreshes(true)) << what;
  };
  for (const char* path : {"0", "b/0", "b/deep/er/0", "b/deep/zz", "a-b/y", "c/only/d/two"}) {
    add(path);
    expect_taken(path);
  }
  const std::string id = repo_.git_line({"rev-parse", "HEAD:a0"});
  const std::string none(id.size(), '0');
  const auto set = [&](const std::string& info) {
    repo_.git({"update-index", "--index-info"}, info);
  };
  const std::vector<std::string> steps = {
      "100644 " + id + "\tb/1\n100644 " + id + "\tb/2\n100644 " + id + "\ta.d\n",
      "0 " + none + "\tb/1\n100644 " + id + "\tb/11\n",
      "0 " + none + "\tb/11\n0 " + none + "\tb/2\n0 " + none + "\tb/deep.txt\n",
      "0 " + none + "\ta0\n100644 " + id + " 1\ta0\n100644 " + id + " 3\ta0\n",
      "100644 " + id + " 2\ta0\n",
      "0 " + none + "\ta0\n100644 " + id + "\ta0\n",
      "100644 " + id + " 1\tb\n100644 " + id + " 2\tb\n",
      "160000 " + repo_.git_line({"rev-parse", "HEAD"}) + "\tb/deep/sub\n",
      "100644 " + id + "\t00\n",
      "0 " + none + "\tb/deep/sub\n",
  };
  for (size_t i = 0; i < steps.size(); ++i) {
    set(steps[i]);
    expect_taken("step " + std::to_string(i));
  }
  // Changes of directories need load().
  const std::vector<std::string> left = {
      "100644 " + id + "\tb/new/1\n",
      "0 " + none + "\tb/new/1\n",
      "0 " + none + "\ta-b/x\n0 " + none + "\ta-b/y\n",
      "0 " + none + "\tb/deep/other\n100644 " + id + "\tother/y\n",
      "100644 " + id + "\twith space and more\n",  // behind the last known entry
  };
  for (size_t i = 0; i < left.size(); ++i) {
    set(left[i]);
    EXPECT_FALSE(refreshes(true)) << "left " << i;
    index_ = read();
  }
}

TEST_P(IndexRefresh, RunsThatOnlyMovedAreNotCompared) {
  age();
  index_ = read();
  EXPECT_TRUE(refreshes(true));
  const size_t last_run = 1;
  EXPECT_TRUE(refreshes(true));
  EXPECT_EQ(compared_, last_run);
  repo_.write("b/deep/new", "1");
  repo_.git({"add", "b/deep/new"});
  age();
  EXPECT_TRUE(refreshes(true));
  EXPECT_LE(compared_, 2 + last_run) << "b/deep/other, behind which it came, and b/deep.txt or b/x";
  EXPECT_TRUE(refreshes(true));
  EXPECT_EQ(compared_, last_run);
  repo_.git({"rm", "-q", "--cached", "b/deep/new"});
  EXPECT_TRUE(refreshes(true));
  EXPECT_LE(compared_, 2 + last_run);
}

// In version 4, the path of an entry depends on the previous path.
TEST_P(IndexRefresh, TheSameBytesBehindAnotherPath) {
  const std::string id = repo_.git_line({"rev-parse", "HEAD:a0"});
  const std::string none(id.size(), '0');
  const auto set = [&](const std::string& info) {
    repo_.git({"update-index", "--index-info"}, info);
    age();
  };
  set("100644 " + id + "\td/a/1\n100644 " + id + "\td/f\n100644 " + id + "\te/a/0\n100644 " + id +
      "\te/g\n");
  index_ = read();
  EXPECT_TRUE(refreshes(true));
  set("0 " + none + "\td/f\n100644 " + id + "\te/f\n0 " + none + "\te/a/0\n100644 " + id +
      "\te/a/1\n");
  EXPECT_TRUE(refreshes(true));
  set("0 " + none + "\td/a/1\n100644 " + id + "\td/f\n");
  EXPECT_FALSE(refreshes(true));
}

TEST_P(IndexRefresh, RandomOperations) {
  std::mt19937 random(7);
  int refreshed = 0;
  int passed_over = 0;
  int moved = 0;
  for (int i = 0; i < 120; ++i) {
    const bool may_move = i >= 60;
    // Two random() calls in one expression have no defined order.
    const std::string file = std::to_string(random() % 6);
    const std::string name = "r" + std::to_string(random() % 4) + "/" + file;
    switch (random() % 6) {
      case 0:
      case 1:
      case 2:
        repo_.write(name, std::to_string(i));
        repo_.git({"add", "-A"});
        break;
      case 3:
        repo_.try_git({"rm", "-qf", name});
        break;
      case 4:
        repo_.git({"commit", "-q", "--allow-empty", "-m", "c"});
        break;
      default:
        repo_.try_git({"update-index", random() % 2 ? "--chmod=+x" : "--skip-worktree", name});
    }
    if (random() % 3 != 0) age();
    const size_t entries = index_->entries().size();
    if (!refreshes(may_move)) {
      index_ = read();
      continue;
    }
    moved += index_->entries().size() != entries;
    ++refreshed;
    passed_over += compared_ < index_->entries().size();
  }
  EXPECT_GT(refreshed, 10);
  EXPECT_GT(passed_over, 5);
  EXPECT_GT(moved, 10);
}

// For any changed byte and any truncation, the result equals load(), or nothing changes.
TEST_P(IndexRefresh, DamagedFiles) {
  age();
  index_ = read();
  EXPECT_TRUE(refreshes()) << "the bytes of its runs are known from now on";
  const std::string whole = repo_.read(".git/index");
  const Index before = *index_;
  const std::string path = repo_.root() + "/damaged";
  int taken = 0;
  const auto expect_equal = [&](const std::string& bytes, size_t at) {
    repo_.write("../damaged", bytes);
    const auto anew = Index::load(path, {options_.algorithm, false});
    for (const bool may_move : {false, true}) {
      Index index = before;
      const auto refreshed = index.refresh(path, {options_.algorithm, false}, may_move);
      taken += refreshed.has_value();
      ASSERT_TRUE(!refreshed || anew.ok()) << at << ": " << anew.error().message;
      EXPECT_EQ(told_by_us(index), told_by_us(refreshed ? **anew : before)) << at;
      expect_consistent(index);
    }
  };
  for (size_t at = 0; at < whole.size(); at += 17) {
    expect_equal(whole.substr(0, at), at);
    for (const char with : {'\0', '\1', '/', '\x7f', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = with;
      expect_equal(bytes, at);
    }
  }
  EXPECT_GT(taken, 100);
}

class IndexRefreshOfMany : public IndexRefresh {};

// Enough entries for two threads.
TEST_P(IndexRefreshOfMany, IsAsOfFew) {
  const std::string id = repo_.git_line({"rev-parse", "HEAD:a"});
  std::string info;
  for (size_t i = 0; i < kManyIndexEntries; ++i) {
    const std::string name = "m" + std::to_string(i % 97) + "/" + std::to_string(i % 7) + "/" +
                             std::to_string(i * 31 % 100003);
    info += "100644 " + id + "\t" + name + "\n";
  }
  const auto set = [&](const std::string& what) {
    repo_.git({"update-index", "--add", "--index-info"}, what);
  };
  set(info);
  index_ = read();
  ASSERT_GE(index_->entries().size(), kManyIndexEntries);
  const std::string other = repo_.git_line({"rev-parse", "HEAD:b/x"});
  const std::vector<std::string> paths = {index_->path(uint32_t{0}), index_->path(uint32_t{20000}),
                                          index_->path(uint32_t{32000})};
  for (const std::string& path : paths) set("100755 " + other + "\t" + path + "\n");
  EXPECT_TRUE(refreshes());
  // Entries behind it move in the file.
  repo_.git({"update-index", "--skip-worktree", paths[0]});
  EXPECT_TRUE(refreshes());
  repo_.git({"commit", "-qm", "2"});
  EXPECT_TRUE(refreshes());
  set("0 " + std::string(id.size(), '0') + "\t" + paths[1] + "\n");
  EXPECT_FALSE(refreshes());
  EXPECT_TRUE(refreshes(true));
  for (size_t i = 0; i < paths.size(); ++i) {
    set("100644 " + id + "\t" + paths[i] + "x\n");
    EXPECT_FALSE(refreshes());
    EXPECT_TRUE(refreshes(true)) << i;
  }
  set("100644 " + id + "\tm50/0/new\n0 " + std::string(id.size(), '0') + "\t" + paths[2] + "\n");
  EXPECT_TRUE(refreshes(true));
}

INSTANTIATE_TEST_SUITE_P(Index, IndexRefreshOfMany,
                         ::testing::Values(std::tuple("2", "sha1"), std::tuple("4", "sha256")));
INSTANTIATE_TEST_SUITE_P(Index, IndexRefresh,
                         ::testing::Combine(::testing::Values("2", "4"),
                                            ::testing::Values("sha1", "sha256")));

}  // namespace
}  // namespace resident
