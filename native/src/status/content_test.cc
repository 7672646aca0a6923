// Does a file hold what git would store? Every case is asked of git too, by the id that `git
// hash-object` gives.
#include "status/content.h"

#include <filesystem>

#include "status/scan_test_support.h"
#include "testing/value_of.h"

namespace resident {
namespace {

class ContentTest : public ScanTest {
 protected:
  // Rules as the model reads them: config by git, no attributes files but the worktree's.
  std::unique_ptr<FileContent> content(bool run_filters = true) {
    auto config =
        Config::load(posix_file_system(), {repo_.work(), repo_.work(), at(".git"), at(".git")});
    EXPECT_TRUE(config.ok());
    auto made = std::make_unique<FileContent>(
        FileContent::Setup{posix_file_system(), repo_.work(), HashAlgorithm::kSha1, run_filters});
    auto index = Index::load(at(".git/index"), {});
    EXPECT_TRUE(index.ok());
    FileContent::Rules rules;
    rules.index = *index;
    rules.config = ConversionConfig::read(*config);
    made->set_rules(std::move(rules));
    return made;
  }
  Result<bool> holds(FileContent& content, const std::string& path, const ObjectId& id) {
    auto root = posix_file_system().open_directory(repo_.work());
    EXPECT_TRUE(root.ok());
    auto stat = posix_file_system().stat_at(*root, path);
    EXPECT_TRUE(stat.ok()) << path;
    Result<ContentMatch> held = content.compare({*root, path}, *stat, id);
    if (!held.ok() && held.error().code == ErrorCode::kPending) {
      GitTasks tasks(nullptr, {});
      content.filters().ask_git(
          tasks, repo_.work(),
          [&](const std::string& filter) { return content.filter_program(filter); },
          [&](const std::string&) {
            held = content.compare({*root, path}, *stat, id);
          });
      tasks.deliver();
    }
    if (!held.ok()) return held.error();
    git_warns_ = held->git_warns;
    return held->same;
  }
  // What git would store.
  ObjectId stored(const std::string& path) {
    return *ObjectId::from_hex(repo_.git_line({"hash-object", "--path=" + path, "--", path}));
  }
  void expect_as_git(const std::string& path) {
    SCOPED_TRACE(path);
    auto made = content();
    auto same = holds(*made, path, stored(path));
    ASSERT_TRUE(same.ok()) << same.error().message;
    EXPECT_TRUE(*same);
    auto other = holds(*made, path, ObjectId::null(HashAlgorithm::kSha1));
    ASSERT_TRUE(other.ok());
    EXPECT_FALSE(*other);
  }
  // Whether comparing the file makes git speak, which must be so exactly where git does.
  bool git_warns(const std::string& path) {
    auto made = content();
    EXPECT_TRUE(holds(*made, path, ObjectId::null(HashAlgorithm::kSha1)).ok());
    const auto gits = repo_.try_git({"hash-object", "--path=" + path, "--", path});
    EXPECT_EQ(git_warns_, !gits.err.empty()) << path << ": " << gits.err;
    return git_warns_;
  }
  bool git_warns_ = false;
};

// Larger ones are not held in memory: git is asked, or they are hashed piece by piece.
TEST_F(ContentTest, LargeFiles) {
  const size_t limit = FileContent::kMaxHeld;
  repo_.write(".gitattributes", "*.txt text\n");
  for (const size_t size : {limit, limit + 1, 2 * limit + 12345}) {
    std::string text;
    while (text.size() + 20 <= size) text += "line " + std::to_string(text.size()) + "\r\n";
    text.resize(size, 'x');
    std::string other = text;
    other[size / 2] ^= 1;
    for (const char* path : {"f", "f.txt"}) {
      for (const bool trusted : {true, false}) {
        SCOPED_TRACE(path + std::to_string(size) + (trusted ? " trusted" : ""));
        repo_.write(path, text);
        repo_.git({"add", path});
        const ObjectId id = stored(path);
        auto made = content(trusted);
        EXPECT_TRUE(testing::value_of(holds(*made, path, id)));
        repo_.write(path, other);
        made = content(trusted);
        EXPECT_FALSE(testing::value_of(holds(*made, path, id)));
      }
    }
  }
}

TEST_F(ContentTest, KnowsWhereGitSpeaksOfALargeFileThatIsHashedHere) {
  repo_.write("f", std::string(FileContent::kMaxHeld + 1, 'x'));
  repo_.git({"add", "f"});
  for (const bool is_malformed : {false, true}) {
    repo_.write(".gitattributes", is_malformed ? "f !!x\n" : "f x\n");
    auto untrusted = content(false);
    EXPECT_TRUE(testing::value_of(holds(*untrusted, "f", stored("f"))));
    EXPECT_EQ(git_warns_, is_malformed);
    EXPECT_EQ(git_warns_, !repo_.try_git({"check-attr", "x", "f"}).err.empty());
  }
}

TEST_F(ContentTest, OfAHugeFileThatIsConvertedNothingIsSaidWhereGitIsNotAsked) {
  repo_.write(".gitattributes", "f text\n");
  repo_.write("f", "1\r\n");
  std::filesystem::resize_file(at("f"), FileContent::kMaxConverted + 1);
  auto untrusted = content(false);
  const auto refused = holds(*untrusted, "f", stored(".gitattributes"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsafe);
  EXPECT_TRUE(refused.error().message.starts_with("f: too large")) << refused.error().message;
}

TEST_F(ContentTest, ALargeFileIsGits) {
  repo_.write("f", std::string(FileContent::kMaxHeld + 1, 'x'));
  repo_.git({"add", "f"});
  auto made = content();
  auto root = posix_file_system().open_directory(repo_.work());
  auto stat = posix_file_system().stat_at(*root, "f");
  const auto held = made->compare({*root, "f"}, *stat, stored("f"));
  ASSERT_FALSE(held.ok());
  EXPECT_EQ(held.error().code, ErrorCode::kPending);
  EXPECT_EQ(made->filters().paths(), std::vector<std::string>{"f"});
}

TEST_F(ContentTest, KnowsWhereGitSpeaksOfIt) {
  repo_.write("f.16", "no mark, no UTF-16");
  repo_.write("f.x", "text");
  repo_.write("empty.16", "");
  EXPECT_FALSE(git_warns("f.x"));
  repo_.write(".gitattributes",
              "*.16 working-tree-encoding=UTF-16\n*.x working-tree-encoding=none\n");
  EXPECT_TRUE(git_warns("f.16"));
  EXPECT_FALSE(git_warns("empty.16"));
  EXPECT_TRUE(git_warns("f.x"));
  repo_.write(".gitattributes", "*.x -te$xt\n");
  EXPECT_TRUE(git_warns("f.x"));
  repo_.write(".gitattributes", "!*.x text\n");
  EXPECT_TRUE(git_warns("f.x"));
  repo_.write(".gitattributes", "*.x text\n# " + std::string(3000, 'x') + "\n");
  EXPECT_FALSE(git_warns("f.x"));
  repo_.write(".gitattributes", "*.x text " + std::string(3000, 'x') + "\n");
  EXPECT_TRUE(git_warns("f.x"));
  std::filesystem::remove(at(".gitattributes"));
  std::filesystem::create_symlink("f.x", at(".gitattributes"));
  EXPECT_TRUE(git_warns("f.x"));
}

TEST_F(ContentTest, Plain) {
  repo_.write("empty", "");
  repo_.write("text", "a\nb\n");
  repo_.write("crlf", "a\r\nb\r\n");
  repo_.write("binary", std::string("\0\1\r\n\xff", 5));
  repo_.write("large", std::string(3 << 20, 'x'));
  for (const char* path : {"empty", "text", "crlf", "binary", "large"}) expect_as_git(path);
}

TEST_F(ContentTest, LineEnds) {
  repo_.write("a/crlf", "a\r\nb\r\n");
  repo_.write("a/mixed", "a\r\nb\nc\r");
  repo_.write("a/binary", std::string("a\r\n\0b\r\n", 7));
  for (const char* rules : {"* text\n", "* text=auto\n", "* -text\n", "* eol=crlf\n",
                            "* text=auto eol=lf\n", "* binary\n"}) {
    SCOPED_TRACE(rules);
    repo_.write(".gitattributes", rules);
    for (const char* autocrlf : {"false", "true", "input"}) {
      repo_.git({"config", "core.autocrlf", autocrlf});
      for (const char* path : {"a/crlf", "a/mixed", "a/binary"}) expect_as_git(path);
    }
  }
}

TEST_F(ContentTest, IdentAndEncoding) {
  repo_.write(".gitattributes", "*.c ident\n*.u working-tree-encoding=UTF-16LE\n");
  repo_.write("x.c", "/* $Id: 0123456789012345678901234567890123456789 $ */\n$Id$ $Id: no\n");
  repo_.write("x.u", std::string("h\0\xe4\0\n\0", 6));
  expect_as_git("x.c");
  expect_as_git("x.u");
}

TEST_F(ContentTest, ADeeperFileDecides) {
  repo_.write(".gitattributes", "* text\n");
  repo_.write("d/.gitattributes", "f -text\n");
  repo_.write("d/e/.gitattributes", "f text\n");
  for (const char* path : {"f", "d/f", "d/e/f", "d/g"}) {
    repo_.write(path, "1\r\n");
    expect_as_git(path);
  }
}

TEST_F(ContentTest, RulesAreReadOnceUntilSetAgain) {
  repo_.write("f", "1\r\n");
  auto made = content();
  const ObjectId raw = stored("f");
  EXPECT_TRUE(*holds(*made, "f", raw));
  repo_.write(".gitattributes", "* text\n");
  const ObjectId converted = stored("f");
  EXPECT_TRUE(*holds(*made, "f", raw));
  made->set_rules(FileContent::Rules());
  EXPECT_TRUE(*holds(*made, "f", converted));
}

TEST_F(ContentTest, ALinkIsItsTarget) {
  std::filesystem::create_symlink("some where", at("link"));
  const ObjectId id = *ObjectId::from_hex(repo_.git_line({"hash-object", "--stdin"}, "some where"));
  auto made = content();
  EXPECT_TRUE(*holds(*made, "link", id));
}

TEST_F(ContentTest, AnExternalFilterIsGitsAndNeverRunUntrusted) {
  repo_.write("f", "abc\n");
  repo_.write(".gitattributes", "f filter=up\n");
  repo_.git({"config", "filter.up.clean", "touch '" + at("ran") + "'; tr a-z A-Z"});
  repo_.git({"add", "f"});
  repo_.git({"commit", "-q", "-m", "1"});
  auto index = Index::load(at(".git/index"), {});
  const ObjectId id = (*index)->id(*(*index)->find_path("f"));
  std::filesystem::remove(at("ran"));
  auto untrusted = content(false);
  auto refused = holds(*untrusted, "f", id);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsafe);
  EXPECT_FALSE(std::filesystem::exists(at("ran")));

  auto trusted = content();
  EXPECT_TRUE(*holds(*trusted, "f", id));
  repo_.write("f", "ABC\n");
  EXPECT_TRUE(*holds(*trusted, "f", id)) << "another file, the same once filtered";
  repo_.write("f", "xyz\n");
  EXPECT_FALSE(*holds(*trusted, "f", id));
}

}  // namespace
}  // namespace resident
