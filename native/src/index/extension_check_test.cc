// Index extensions that only git reads: each message of git about them must be detected.
#include "index/extension_check.h"

#include <gtest/gtest.h>

#include "index/fsmonitor_marks.h"
#include "index/index_test_support.h"

namespace resident {
namespace {

using testing::RepoBuilder;

class ExtensionCheckTest : public ::testing::Test {
 protected:
  ExtensionCheckTest() {
    repo_.init();
    // git must not rewrite the index that the test changes.
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    for (const char* path : {"a", "b", "d/c"}) repo_.write(path, path);
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "1"});
  }

  bool is_read() {
    return Index::load(testing::index_path(repo_), {.verify_checksum = false}).ok();
  }
  bool git_warns() {
    const auto said = repo_.try_git({"status", "--porcelain"});
    return said.exit_code != 0 || !said.err.empty();
  }

  // Changes each byte of the extension in turn. If git then warns, the index must be refused.
  void expect_git_unheard_of_nothing(const std::string& name) {
    const std::string path = testing::index_path(repo_);
    const std::string good = testing::read_whole_file(path);
    const size_t begins = good.find(name);
    ASSERT_NE(begins, std::string::npos);
    ASSERT_FALSE(git_warns());
    EXPECT_TRUE(is_read());
    const uint32_t size = load_be32(as_bytes(good).data() + begins + 4);
    int spoken = 0;
    for (size_t at = begins + 8; at < begins + 8 + size; ++at) {
      for (const int bit : {0x01, 0x80}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ bit);
        testing::write_whole_file(path, bad);
        if (!git_warns()) continue;
        ++spoken;
        EXPECT_FALSE(is_read()) << name << ", byte " << at - begins;
      }
    }
    EXPECT_GT(spoken, 0) << "git takes anything for an extension " << name;
    testing::write_whole_file(path, good);
  }

  RepoBuilder repo_;
};

TEST_F(ExtensionCheckTest, FileSystemMonitor) {
  repo_.git({"-c", "core.fsmonitor=true", "update-index", "--fsmonitor"});
  repo_.git({"config", "core.fsmonitor", "true"});
  expect_git_unheard_of_nothing("FSMN");
  repo_.git({"config", "core.fsmonitor", "false"});
  expect_git_unheard_of_nothing("FSMN");
}

TEST_F(ExtensionCheckTest, FileSystemMonitorOfASplitIndex) {
  repo_.git({"update-index", "--split-index"});
  repo_.write("e", "5");
  repo_.git({"add", "-A"});
  repo_.git({"config", "core.fsmonitor", "true"});
  repo_.git({"update-index", "--fsmonitor"});
  expect_git_unheard_of_nothing("FSMN");
}

TEST_F(ExtensionCheckTest, ResolvedConflicts) {
  repo_.git({"checkout", "-q", "-b", "side"});
  repo_.write("a", "side");
  repo_.git({"commit", "-q", "-a", "-m", "2"});
  repo_.git({"checkout", "-q", "main"});
  repo_.write("a", "main");
  repo_.git({"commit", "-q", "-a", "-m", "3"});
  EXPECT_NE(repo_.try_git({"merge", "side"}).exit_code, 0);
  repo_.git({"add", "a"});
  expect_git_unheard_of_nothing("REUC");
}

TEST_F(ExtensionCheckTest, OffsetsOfEntries) {
  repo_.git({"config", "index.threads", "3"});
  repo_.write("e", "5");
  repo_.git({"add", "-A"});
  expect_git_unheard_of_nothing("IEOT");
}

TEST_F(ExtensionCheckTest, AnExtensionWithNothingInIt) {
  EXPECT_FALSE(read_fsmonitor_marks({}, 3));
  EXPECT_FALSE(is_plain_entry_offsets({}, 3, 100));
  EXPECT_TRUE(is_plain_resolve_undo({}, HashAlgorithm::kSha1));
}

}  // namespace
}  // namespace resident
