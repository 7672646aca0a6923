#include "explain/explain.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "explain/explanation_json.h"
#include "fs/linux/posix_file_system.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

// The parts of a worktree, read once. All files count as unchanged, except for the changes in a
// test.
class ExplainTest : public ::testing::Test {
 protected:
  ExplainTest() { repo_.init(); }

  void read(bool runs_filters = true) {
    const std::string git_dir = repo_.work() + "/.git";
    auto index = Index::load(git_dir + "/index", {.git_dir = git_dir});
    ASSERT_TRUE(index.ok()) << index.error().message;
    index_ = *std::move(index);
    auto objects = ObjectDatabase::open(posix_file_system(), git_dir + "/objects", {});
    ASSERT_TRUE(objects.ok()) << objects.error().message;
    objects_ = *std::move(objects);
    content_ = std::make_unique<FileContent>(
        FileContent::Setup{fs_, repo_.work(), HashAlgorithm::kSha1, runs_filters});
    FileContent::Rules rules;
    rules.index = index_;
    rules.objects = objects_.get();
    rules.config.drivers = drivers_;
    content_->set_rules(std::move(rules));
    states_.assign(index_->entries().size(), EntryState::present(0100644, true));
  }

  Explanation explain(const std::string& path, bool as_directory = false) {
    const ExplainContext context = {
        .refresh = {fs_, repo_.work(), *index_, settings_, *content_, none_},
        .states = states_,
        .content = *content_,
        .objects = *objects_,
        .excludes = excludes_,
        .files = files_,
        .head_tree = head_tree_,
        .sparse_patterns = sparse_,
        .sparse_cone = false,
    };
    auto explanation = explain_path(context, path, as_directory);
    EXPECT_TRUE(explanation.ok()) << explanation.error().message;
    return explanation.ok() ? *std::move(explanation) : Explanation{};
  }

  void set_state(const std::string& path, EntryState state) {
    const auto position = index_->find_path(path);
    ASSERT_TRUE(position);
    states_[*position] = state;
  }

  RepoBuilder repo_;
  FileSystem& fs_ = posix_file_system();
  std::shared_ptr<const Index> index_;
  std::unique_ptr<ObjectDatabase> objects_;
  std::unique_ptr<FileContent> content_;
  std::unordered_map<std::string, FilterDriver> drivers_;
  WorktreeSettings settings_;
  const ContentCache none_;
  std::vector<EntryState> states_;
  ExcludeRules excludes_;
  RuleFiles files_ = {"/elsewhere/exclude", {}, {}, {}, {}};
  std::optional<ObjectId> head_tree_;
  std::optional<std::string> sparse_;
};

using Differences = std::vector<Difference>;

TEST_F(ExplainTest, IgnoreRuleNearestFirst) {
  excludes_.info_exclude = PatternList::parse("x\n*.o\n", "");
  repo_.write(".gitignore", "*.tmp\n");
  repo_.write("sub/.gitignore", "\n!/a.tmp\n");
  repo_.write("sub/a.tmp", "");
  repo_.write("sub/b.tmp", "");
  repo_.write("c.o", "");
  read();
  const Explanation kept = explain("sub/a.tmp");
  ASSERT_TRUE(kept.ignore);
  EXPECT_EQ(kept.ignore->source, "sub/.gitignore");
  EXPECT_EQ(kept.ignore->line, 2u);
  EXPECT_EQ(kept.ignore->pattern, "!/a.tmp");
  EXPECT_FALSE(kept.ignored);
  EXPECT_EQ(explain("sub/b.tmp").ignore->source, ".gitignore");
  const Explanation outside = explain("c.o");
  EXPECT_EQ(outside.ignore->source, "/elsewhere/exclude");
  EXPECT_EQ(outside.ignore->line, 2u);
  EXPECT_TRUE(outside.ignored);
}

TEST_F(ExplainTest, NothingIsTakenBackBelowAnIgnoredDirectory) {
  repo_.write(".gitignore", "build/\n");
  repo_.write("build/.gitignore", "!*\n");
  repo_.write("build/x", "");
  read();
  const Explanation below = explain("build/x");
  ASSERT_TRUE(below.ignore);
  EXPECT_EQ(below.ignore->at, "build");
  EXPECT_TRUE(below.ignored);
}

TEST_F(ExplainTest, WhereNothingIsThereItIsWhatItWasAskedAs) {
  repo_.write(".gitignore", "build/\n");
  repo_.write("sub/build", "");
  read();
  EXPECT_FALSE(explain("build").ignore);
  ASSERT_TRUE(explain("build", true).ignore);
  EXPECT_EQ(explain("build", true).ignore->pattern, "build/");
  EXPECT_FALSE(explain("sub/build", true).ignore) << "a file is there";
}

TEST_F(ExplainTest, TrackedIsNotIgnored) {
  repo_.write(".gitignore", "*\n");
  repo_.write("f", "");
  repo_.git({"add", "-f", "f"});
  read();
  const Explanation tracked = explain("f");
  EXPECT_TRUE(tracked.ignore);
  EXPECT_FALSE(tracked.ignored);
}

TEST_F(ExplainTest, Differences) {
  for (const char* name : {"content", "eol", "gone", "type"}) repo_.write(name, "a\nb\n");
  repo_.git({"add", "-A"});
  repo_.write("content", "b\na\n");
  repo_.write("eol", "a\r\nb\r\n");
  for (const char* name : {"gone", "type"}) std::filesystem::remove(repo_.work() + "/" + name);
  ASSERT_EQ(::symlink("content", (repo_.work() + "/type").c_str()), 0);
  read();
  EXPECT_EQ(explain("content").differences, Differences{Difference::kContent});
  EXPECT_EQ(explain("eol").differences, Differences{Difference::kEndOfLine});
  EXPECT_EQ(explain("gone").differences, Differences{Difference::kDeleted});
  EXPECT_EQ(explain("type").differences, Differences{Difference::kType});
  set_state("content", EntryState::clean());
  EXPECT_EQ(explain("content").differences, Differences{});
}

TEST_F(ExplainTest, ARepositoryInPlaceOfAFile) {
  repo_.write("f", "a\n");
  repo_.git({"add", "-A"});
  std::filesystem::remove(repo_.work() + "/f");
  repo_.git({"init", "-q", "f"});
  read();
  EXPECT_EQ(explain("f").differences, Differences{Difference::kDeleted});
  repo_.git({"-C", "f", "commit", "-q", "--allow-empty", "-m", "first"});
  EXPECT_EQ(explain("f").differences, Differences{Difference::kType});
  EXPECT_EQ(explain("f").place, Place::kOrdinary);
  EXPECT_EQ(explain("f/x").place, Place::kNestedRepository);
}

// Only the model knows the filter's result: nothing is run here, trusted or not.
TEST_F(ExplainTest, FilterIsNotRun) {
  repo_.write("f", "a\n");
  repo_.write("g", "a\n");
  repo_.git({"add", "-A"});
  repo_.write("g", "b\n");
  repo_.write(".gitattributes", "* filter=x\n");
  drivers_["x"] = {.clean = "x"};
  for (const bool runs_filters : {true, false}) {
    read(runs_filters);
    EXPECT_EQ(explain("f").differences, Differences{Difference::kFilter});
    EXPECT_EQ(explain("g").differences, Differences{Difference::kContent});
    set_state("f", EntryState::unanswerable(0100644));
    EXPECT_EQ(explain("f").differences, Differences{Difference::kUnknown});
    EXPECT_TRUE(content_->filters().empty());
  }
}

TEST_F(ExplainTest, AttributesWithTheirLines) {
  repo_.write(".gitattributes", "# none\n\n*.c text eol=lf -diff\n\"q\\n\" a\n");
  repo_.write("x.c", "");
  read();
  const auto attributes = explain("x.c").attributes;
  ASSERT_EQ(attributes.size(), 3u);
  EXPECT_EQ(attributes[0].name, "diff");
  EXPECT_EQ(attributes[0].value, "unset");
  EXPECT_EQ(attributes[1].value, "lf");
  EXPECT_EQ(attributes[2].line, 3u);
  EXPECT_EQ(attributes[2].source, ".gitattributes");
  EXPECT_EQ(explain("q\n").attributes.at(0).pattern, "q\n");
}

TEST_F(ExplainTest, Places) {
  repo_.write("a/f", "");
  repo_.git({"init", "-q", "own"});
  ASSERT_EQ(::symlink("a", (repo_.work() + "/link").c_str()), 0);
  read();
  EXPECT_EQ(explain("own/x").place, Place::kNestedRepository);
  EXPECT_EQ(explain("link/f").place, Place::kBeyondLink);
  EXPECT_EQ(explain("link").place, Place::kOrdinary);
  EXPECT_EQ(explain(".git").place, Place::kGitDirectory);
  EXPECT_EQ(explain("a/.git/x").place_at, "a/.git");
  EXPECT_EQ(explain("none/at/all").kind, FileKind::kUnknown);
  EXPECT_EQ(explain("").kind, FileKind::kDirectory);
}

TEST_F(ExplainTest, SparsePatterns) {
  repo_.write("in/f", "");
  repo_.write("out/f", "");
  repo_.git({"add", "-A"});
  read();
  sparse_ = "/*\n!/out/\n";
  EXPECT_TRUE(explain("in/f").sparse->included);
  const auto outside = explain("out/f").sparse;
  ASSERT_TRUE(outside);
  EXPECT_FALSE(outside->included);
  EXPECT_EQ(outside->line, 2u);
  EXPECT_EQ(outside->pattern, "!/out/");
  sparse_ = "";
  EXPECT_FALSE(explain("in/f").sparse->included);
}

TEST(ExplanationJson, IsPlainAsciiAndComplete) {
  Explanation explanation;
  explanation.path = "a\n\"\\\xff\xc3\xa9";
  explanation.kind = FileKind::kRegular;
  explanation.ignore = ExplainedIgnore{".gitignore", 1, "*", false, "a"};
  EXPECT_EQ(explanation_json(explanation),
            "{\"path\":\"a\\u000a\\\"\\\\\\udcff\\u00e9\",\"kind\":\"file\",\"ignore\":{\"source\":"
            "\".gitignore\",\"line\":1,\"pattern\":\"*\",\"at\":\"a\"}}");
}

}  // namespace
}  // namespace resident
