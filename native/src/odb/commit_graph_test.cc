// Tests commit-graphs, sound and damaged, against git itself.
#include "odb/commit_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "odb/object_database.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

class CommitGraphTest : public ::testing::TestWithParam<const char*> {
 protected:
  CommitGraphTest() {
    repo_.init({std::string("--object-format=") + GetParam()});
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    for (const char* message : {"one", "two", "three"}) commit(message);
    for (const char* branch : {"x", "y", "z"}) {
      repo_.git({"checkout", "-q", "-b", branch, "HEAD~1"});
      commit(branch);
    }
    // A commit with three parents: they do not fit into its record.
    repo_.git({"merge", "-q", "-m", "octopus", "x", "main"});
  }
  void commit(const std::string& message) {
    date_ += 100;
    repo_.set_date(date_);
    repo_.write(message, message);
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", message});
  }
  std::string objects_dir() const { return repo_.work() + "/.git/objects"; }
  std::string single() const { return objects_dir() + "/info/commit-graph"; }
  std::string chain() const { return objects_dir() + "/info/commit-graphs/commit-graph-chain"; }
  HashAlgorithm algorithm() const {
    return std::string(GetParam()) == "sha1" ? HashAlgorithm::kSha1 : HashAlgorithm::kSha256;
  }
  void write_single() { repo_.git({"commit-graph", "write", "--reachable"}); }
  // A chain of two files.
  void write_chain() {
    const RepoBuilder::Arguments write = {"commit-graph", "write", "--reachable",
                                          "--split=no-merge"};
    repo_.git(write);
    commit("four");
    repo_.git(write);
  }

  CommitGraph::Found find() {
    return CommitGraph::find(posix_file_system(), {objects_dir()}, algorithm(),
                             [](const std::string&) {});
  }
  struct Said {
    bool any = false;  // git printed a message or failed
    std::string answer;
    friend bool operator==(const Said&, const Said&) = default;
  };
  Said git_says() {
    const auto said = repo_.try_git({"status", "--porcelain=v2", "--branch"});
    return {said.exit_code != 0 || !said.err.empty(), said.out};
  }
  std::vector<ObjectId> history() {
    std::vector<ObjectId> commits;
    const std::string listed = repo_.git({"-c", "core.commitGraph=false", "rev-list", "--all"});
    const size_t size = 2 * hash_size(algorithm());
    for (size_t at = 0; at < listed.size(); at += size + 1) {
      commits.push_back(*ObjectId::from_hex(std::string_view(listed).substr(at, size)));
    }
    return commits;
  }
  // Reads all commits through a database that uses the graph.
  bool reads(const std::vector<ObjectId>& commits) {
    auto database =
        ObjectDatabase::open(posix_file_system(), objects_dir(), {.algorithm = algorithm()});
    if (!database.ok() || !(*database)->problems().empty()) return false;
    return std::all_of(commits.begin(), commits.end(), [&](const ObjectId& id) {
      return (*database)->read_commit_header(id).ok();
    });
  }
  bool reads_history() { return reads(history()); }
  // Runs git status with damaged files. If its answer differs from the answer for the good file,
  // our reads must fail.
  void expect_git_unheard_of_nothing(const std::string& path) {
    repo_.git({"branch", "-q", "--set-upstream-to=x"});
    const std::string good = testing::read_whole_file(path);
    const Said before = git_says();
    ASSERT_FALSE(before.any);
    const std::vector<ObjectId> commits = history();
    ASSERT_TRUE(reads(commits));
    int noticed = 0;
    std::filesystem::permissions(path, std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
    for (size_t at = 0; at < good.size();) {
      for (const int bit : {0x01, 0x80}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ bit);
        testing::write_whole_file(path, bad);
        if (git_says() == before) continue;
        ++noticed;
        EXPECT_FALSE(reads(commits)) << "byte " << at << " of " << good.size();
      }
      // Samples are enough for the fan-out table.
      at += at > 200 && at < 1100 ? 41 : 1;
    }
    EXPECT_GT(noticed, 50);
    for (size_t size : {size_t{0}, size_t{7}, good.size() / 2, good.size() - 1}) {
      testing::write_whole_file(path, good.substr(0, size));
      EXPECT_TRUE(git_says().any);
      EXPECT_FALSE(find().problems.empty()) << size;
    }
    testing::write_whole_file(path, good);
    EXPECT_TRUE(reads(commits));
  }

  RepoBuilder repo_;
  int64_t date_ = 1700000000;
};

TEST_P(CommitGraphTest, NoneIsNoProblem) {
  const auto found = find();
  EXPECT_EQ(found.graph, nullptr);
  EXPECT_TRUE(found.problems.empty());
  EXPECT_TRUE(reads_history());
}

TEST_P(CommitGraphTest, SaysWhatTheCommitsSay) {
  write_single();
  const auto one = find();
  EXPECT_NE(one.graph, nullptr);
  EXPECT_TRUE(reads_history());
  // A commit that is not in the graph.
  commit("more");
  EXPECT_TRUE(reads_history());
  std::filesystem::remove(single());
  write_chain();
  EXPECT_NE(find().graph, nullptr);
  EXPECT_TRUE(reads_history());
  repo_.git({"-c", "commitGraph.generationVersion=1", "commit-graph", "write", "--reachable",
             "--split=replace"});
  EXPECT_NE(find().graph, nullptr);
  EXPECT_TRUE(reads_history());
}

TEST_P(CommitGraphTest, DatesThatAreFarFromTheirGeneration) {
  for (int64_t date : {int64_t{16000000000}, int64_t{1000}, int64_t{15000000000}, int64_t{2000}}) {
    repo_.set_date(date);
    repo_.git({"commit", "-q", "--allow-empty", "-m", std::to_string(date)});
  }
  write_single();
  EXPECT_NE(testing::read_whole_file(single()).find("GDO2"), std::string::npos);
  EXPECT_TRUE(reads_history());
}

TEST_P(CommitGraphTest, ADamagedFile) {
  write_single();
  expect_git_unheard_of_nothing(single());
}

TEST_P(CommitGraphTest, ADamagedFileOfAChain) {
  write_chain();
  const std::string lines = testing::read_whole_file(chain());
  const std::string top = lines.substr(lines.find('\n') + 1);
  expect_git_unheard_of_nothing(objects_dir() + "/info/commit-graphs/graph-" +
                                top.substr(0, top.find('\n')) + ".graph");
}

TEST_P(CommitGraphTest, ADamagedChain) {
  write_chain();
  const std::string good = testing::read_whole_file(chain());
  const std::string line = good.substr(0, good.find('\n') + 1);
  std::filesystem::permissions(chain(), std::filesystem::perms::owner_write,
                               std::filesystem::perm_options::add);
  for (const std::string& content :
       {std::string(), line.substr(1), line, line + line, good + line, good + "x\n",
        "x" + good.substr(1), good.substr(line.size()) + line, good.substr(0, good.size() - 1),
        good + "\n", line + "\n"}) {
    testing::write_whole_file(chain(), content);
    // git warns of an incomplete line since 2.43.
    const bool is_cut_off = !content.empty() && content.size() < line.size();
    EXPECT_EQ(find().problems.empty(), !git_says().any && !is_cut_off) << content;
  }
  // A file of the chain is missing.
  testing::write_whole_file(chain(), good);
  std::filesystem::remove(objects_dir() + "/info/commit-graphs/graph-" +
                          line.substr(0, line.size() - 1) + ".graph");
  EXPECT_TRUE(git_says().any);
  EXPECT_FALSE(find().problems.empty());
}

TEST_P(CommitGraphTest, ADirectoryInItsPlace) {
  std::filesystem::create_directories(single() + "/d");
  EXPECT_TRUE(git_says().any);
  EXPECT_FALSE(find().problems.empty());
}

INSTANTIATE_TEST_SUITE_P(Algorithms, CommitGraphTest, ::testing::Values("sha1", "sha256"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace resident
