// Reads operation files with contents that git does not write. test/conformance compares the
// results for normal files with git.
#include "history/operation_state.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "fs/linux/posix_file_system.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

class OperationStateTest : public ::testing::Test {
 protected:
  OperationStateTest() {
    repo_.init();
    repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
    id_ = repo_.git_line({"rev-parse", "HEAD"});
    repo_.git({"checkout", "-q", "--detach"});
  }

  Result<OperationState> read(std::vector<ConfigEntry> entries = {}) {
    Repository repository;
    repository.worktree = repo_.work();
    repository.git_dir = repository.common_dir = repo_.work() + "/.git";
    FileSystem& fs = posix_file_system();
    RESIDENT_TRY(auto objects,
                 ObjectDatabase::open(posix_file_system(), repository.git_dir + "/objects", {}));
    RefStore refs(repository.git_dir, repository.git_dir, HashAlgorithm::kSha1, fs);
    const Config config = Config::from_entries(std::move(entries));
    RESIDENT_TRY(const Head head, refs.head());
    const GitRules rules = current_git_rules().value();
    return read_operation_state(head, {fs, refs, *objects, config, rules, repository});
  }

  void expect_for_git() {
    auto state = read();
    ASSERT_FALSE(state.ok());
    EXPECT_EQ(state.error().code, ErrorCode::kUnsupported) << state.error().message;
  }

  std::string at(const std::string& name) const { return repo_.work() + "/.git/" + name; }

  RepoBuilder repo_;
  std::string id_;
};

TEST_F(OperationStateTest, NothingIsGoingOn) {
  repo_.git({"checkout", "-q", "main"});
  auto state = read();
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(*state, OperationState{});
}

TEST_F(OperationStateTest, ATodoListOfALength) {
  repo_.write(".git/rebase-merge/interactive", "");
  repo_.write(".git/rebase-merge/onto", id_ + "\n");
  std::string list;
  for (int i = 0; i < 5; ++i) list += "pick " + id_ + " number " + std::to_string(i) + "\n";
  repo_.write(".git/rebase-merge/done", list);
  auto state = read({{"core.abbrev", "10"}});
  ASSERT_TRUE(state.ok()) << state.error().message;
  EXPECT_EQ(state->onto, id_.substr(0, 10));
  ASSERT_TRUE(state->todo.has_value());
  EXPECT_EQ(state->todo->done_count, 5u);
  EXPECT_EQ(state->todo->done,
            (std::vector<std::string>{"pick " + id_.substr(0, 10) + " number 3",
                                      "pick " + id_.substr(0, 10) + " number 4"}));
  EXPECT_EQ(state->todo->done_file, ".git/rebase-merge/done");
  EXPECT_TRUE(state->todo->next_is_missing);
  // git has special rules for the name of its directory here.
  EXPECT_FALSE(read({{"core.worktree", repo_.work()}}).ok());
}

TEST_F(OperationStateTest, FilesThatCannotBeReadAreGits) {
  std::filesystem::create_directories(at("rebase-merge/head-name"));
  expect_for_git();
  std::filesystem::remove_all(at("rebase-merge"));
  std::filesystem::create_directories(at("sequencer/todo"));
  expect_for_git();
  std::filesystem::remove_all(at("sequencer"));
  repo_.write(".git/rebase-merge/interactive", "");
  ASSERT_EQ(::mkfifo(at("rebase-merge/done").c_str(), 0600), 0);
  expect_for_git();
  std::filesystem::remove_all(at("rebase-merge"));
  // The file is larger than memory but sparse.
  repo_.write(".git/BISECT_LOG", "");
  repo_.write(".git/BISECT_START", "main\n");
  ASSERT_EQ(::truncate(at("BISECT_START").c_str(), int64_t{1} << 40), 0);
  expect_for_git();
}

TEST_F(OperationStateTest, AnyBytesAreReadWithoutHarm) {
  std::mt19937 random(5);
  const std::vector<std::string> names = {"MERGE_HEAD",
                                          "CHERRY_PICK_HEAD",
                                          "REVERT_HEAD",
                                          "BISECT_LOG",
                                          "BISECT_START",
                                          "ORIG_HEAD",
                                          "logs/HEAD",
                                          "sequencer/todo",
                                          "rebase-merge/interactive",
                                          "rebase-merge/done",
                                          "rebase-merge/git-rebase-todo",
                                          "rebase-merge/onto",
                                          "rebase-merge/head-name",
                                          "rebase-merge/amend"};
  const std::vector<std::string> pieces = {id_,
                                           id_.substr(0, 39),
                                           "\n",
                                           " ",
                                           "\t",
                                           std::string(1, '\0'),
                                           "pick ",
                                           "checkout: moving from ",
                                           " to ",
                                           "HEAD",
                                           "main",
                                           "refs/heads/",
                                           "A <a@x> 1 +0000",
                                           "ref: ",
                                           "#",
                                           "\xff",
                                           "x",
                                           "@{-1}",
                                           "../../",
                                           "^",
                                           "..",
                                           "",
                                           "\r"};
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> written;
    for (const std::string& name : names) {
      if (random() % 3 == 0) continue;
      std::string content;
      for (size_t count = random() % 12; count > 0; --count) {
        content += pieces[random() % pieces.size()];
      }
      repo_.write(".git/" + name, content);
      written.push_back(name);
    }
    auto state = read();
    if (!state.ok()) {
      EXPECT_EQ(state.error().code, ErrorCode::kUnsupported);
    }
    for (const std::string& name : written) std::filesystem::remove(at(name));
    std::filesystem::remove_all(at("rebase-merge"));
  }
}

}  // namespace
}  // namespace resident
