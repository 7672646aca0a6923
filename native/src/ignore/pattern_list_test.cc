#include "ignore/pattern_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "git/git_rules.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

namespace fs = std::filesystem;
using testing::RepoBuilder;

// The matching rules of the git on PATH.
PatternMatching matching_of_git(bool ignore_case) {
  return {ignore_case, current_git_rules().value().glob_sees_prefix};
}

// "<file>:<line>" of the pattern that decides, "" for none.
using Verdicts = std::map<std::string, std::string>;

// A worktree with ignore files. The test asks git and our code about it.
class Worktree {
 public:
  Worktree() {
    repo_.init();
    ignore_files_.emplace(".git/info/exclude", PatternList::parse("", ""));
  }

  // Does nothing if a file exists at a parent's path, or a directory exists at the path of the
  // file.
  void add_file(const std::string& path) {
    std::set<std::string> directories;
    for (size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      directories.insert(path.substr(0, slash));
      if (fs::is_regular_file(repo_.work() + "/" + path.substr(0, slash))) return;
    }
    if (fs::is_directory(repo_.work() + "/" + path)) return;
    repo_.write(path, "");
    paths_.insert(path);
    paths_.insert(directories.begin(), directories.end());
  }

  void set_ignore_file(const std::string& path, const std::string& content) {
    if (fs::is_regular_file(repo_.work() + "/" + path.substr(0, path.find('/')))) return;
    repo_.write(path, content);
    std::string base = path == ".git/info/exclude" ? "" : path.substr(0, path.rfind('/') + 1);
    ignore_files_.insert_or_assign(path, PatternList::parse(content, base));
  }

  Verdicts ask_git(bool ignore_case) {
    std::string input;
    for (const std::string& path : paths_) input += path + '\0';
    const std::string fold = ignore_case ? "core.ignorecase=true" : "core.ignorecase=false";
    std::string out =
        repo_
            .try_git({"-c", fold, "check-ignore", "--no-index", "-v", "-z", "-n", "--stdin"}, input)
            .out;
    Verdicts verdicts;
    size_t at = 0;
    auto field = [&] {
      size_t end = std::min(out.find('\0', at), out.size());
      std::string value = out.substr(at, end - at);
      at = end + 1;
      return value;
    };
    while (at < out.size()) {
      std::string source = field(), line = field();
      field();
      verdicts[field()] = source.empty() ? "" : source + ":" + line;
    }
    return verdicts;
  }

  Verdicts ask_ourselves(bool ignore_case) const {
    Verdicts verdicts;
    for (const std::string& path : paths_) {
      verdicts[path] = "";
      // An ignored directory decides about everything in it.
      for (size_t slash = path.find('/');; slash = path.find('/', slash + 1)) {
        bool last = slash == std::string::npos;
        const Pattern* pattern = nullptr;
        std::string verdict = decide(path.substr(0, slash), ignore_case, &pattern);
        if (last || (pattern != nullptr && !pattern->negative)) {
          verdicts[path] = verdict;
          break;
        }
      }
    }
    return verdicts;
  }

  void expect_as_git(const std::string& context) {
    for (bool ignore_case : {false, true}) {
      Verdicts git = ask_git(ignore_case), ours = ask_ourselves(ignore_case);
      ASSERT_EQ(git.size(), paths_.size()) << context;
      for (const std::string& path : paths_) {
        EXPECT_EQ(ours[path], git[path])
            << "path <" << path << "> ignore_case " << ignore_case << " with\n"
            << context;
      }
    }
  }

 private:
  std::string decide(const std::string& path, bool ignore_case, const Pattern** decisive) const {
    size_t slash = path.rfind('/');
    std::string directory = slash == std::string::npos ? "" : path.substr(0, slash + 1);
    std::string_view basename = std::string_view(path).substr(directory.size());
    bool is_directory = fs::is_directory(repo_.work() + "/" + path);
    for (;;) {
      auto found = ignore_files_.find(directory + ".gitignore");
      if (found != ignore_files_.end()) {
        *decisive =
            found->second->last_match(path, basename, is_directory, matching_of_git(ignore_case));
        if (*decisive) return found->first + ":" + std::to_string((*decisive)->line);
      }
      if (directory.empty()) break;
      directory.pop_back();
      directory = directory.substr(0, directory.rfind('/') + 1);
    }
    const auto& exclude = ignore_files_.at(".git/info/exclude");
    *decisive = exclude->last_match(path, basename, is_directory, matching_of_git(ignore_case));
    return *decisive ? ".git/info/exclude:" + std::to_string((*decisive)->line) : "";
  }

  RepoBuilder repo_;
  std::set<std::string> paths_;
  std::map<std::string, std::shared_ptr<const PatternList>> ignore_files_;
};

std::optional<bool> match(std::string_view patterns, std::string_view path,
                          bool is_directory = false) {
  auto list = PatternList::parse(std::string(patterns), "");
  return list->match(path, path.substr(path.rfind('/') + 1), is_directory, {});
}

TEST(PatternList, TheLastMatchingPatternWins) {
  EXPECT_EQ(match("*.o\n!keep.o\n", "keep.o"), false);
  EXPECT_EQ(match("!keep.o\n*.o\n", "keep.o"), true);
  EXPECT_EQ(match("*.o\n!keep.o\n", "other.c"), std::nullopt);
  EXPECT_EQ(match("build/\n", "build"), std::nullopt);
  EXPECT_EQ(match("build/\n", "build", true), true);
  EXPECT_TRUE(PatternList::parse("# nothing\n\n/\n!\n   \n//\n", "")->empty());
}

TEST(PatternList, PatternsAreRelativeToTheirDirectory) {
  auto list = PatternList::parse("/out\na/b\n", "sub/");
  EXPECT_EQ(list->match("sub/out", "out", false, {}), true);
  EXPECT_EQ(list->match("sub/x/out", "out", false, {}), std::nullopt);
  EXPECT_EQ(list->match("sub/a/b", "b", false, {}), true);
  EXPECT_EQ(list->match("sub", "sub", true, {}), std::nullopt);
}

TEST(PatternList, LengthsBeyondTheOnesThatAreToldApart) {
  const std::string a(63, 'a'), b(64, 'b'), c(200, 'c');
  const std::string patterns = a + "\n*" + b + "\n/dir/" + c + "\n";
  EXPECT_EQ(match(patterns, a), true);
  EXPECT_EQ(match(patterns, a + "a"), std::nullopt);
  EXPECT_EQ(match(patterns, b), true);
  EXPECT_EQ(match(patterns, "x/" + c + b), true);
  EXPECT_EQ(match(patterns, b + "c"), std::nullopt);
  EXPECT_EQ(match(patterns, "dir/" + c), true);
  EXPECT_EQ(match(patterns, "dir/x/" + c), std::nullopt);
}

TEST(PatternList, AgreesWithGitOnTheFormatOfLines) {
  const std::vector<std::string> contents = {
      "\xef\xbb\xbfname\n",
      "name\r\nb.c\r\n",
      "name\r",
      "name",
      "name   \n",
      "sp\\ \n",
      "sp\\  \n",
      "sp \\\n",
      "sp\\\n",
      "#hash\n",
      "\\#hash\n",
      "!bang\n",
      "\\!bang\n",
      "!\\!bang\n\\!bang\n",
      "name/\n",
      "name\\/\n",
      "dir/\n!dir/name\n",
      "dir/*\n!dir/name\n",
      "/dir\n",
      "//dir\n",
      "dir//name\n",
      "*\n!*/\n!*.c\n",
      "*\n",
      "**\n",
      "**/\n",
      "/**\n",
      "/*\n!/dir\n",
      "dir/**/name\n",
      "**/sub/name\n",
      "d**/name\n",
      "*.c \n",
      "*.c\t\n",
      "name\n!name\nname\n",
      std::string("na\0me\n", 6) + "b.c\n",
      "\n\n  \nname\n",
      "[nN]ame\n",
      "NAME\n*.C\nDIR/SUB\n",
      "*name\n!**name\n",
      "dir/sub/name\n!dir/sub/name\n",
      "dir/*/name\n",
      "*/sub\n",
      "\xef\xbb\xbf",
      "\xef\xbb\n",
      "*.c\\\n",
      "\\n\\a\\m\\e\n",
      "*\\.c\n",
      "na[m]e\n[\n",
  };
  for (const std::string& content : contents) {
    Worktree tree;
    for (const char* path :
         {"name",     "Name",     "b.c",      "B.C",     "sp ",          "sp",
          "#hash",    "!bang",    "dir/name", "dir/b.c", "dir/sub/name", "dir/sub/deep/name",
          "sub/name", "foo.name", "sp\\",     "name\r",  "na",           "b.c\t",
          "b.c ",     "[",        "b.c\\"}) {
      tree.add_file(path);
    }
    tree.set_ignore_file(".gitignore", content);
    tree.expect_as_git(content);
  }
}

std::string random_line(std::mt19937& random) {
  static const std::vector<std::string> pieces = {
      "a", "b",    "ab",   "foo", "Foo", ".o", ".c", "*", "**",  "/",   "/",     "**/", "/**",
      "?", "[ab]", "[!a]", "\\a", "\\ ", " ",  "#",  "!", "*.o", "*.c", "foo.o", "a/b"};
  std::string line;
  if (random() % 5 == 0) line += '!';
  if (random() % 5 == 0) line += '/';
  for (size_t n = 1 + random() % 4; n > 0; --n) line += pieces[random() % pieces.size()];
  if (random() % 5 == 0) line += '/';
  if (random() % 10 == 0) line += "  ";
  if (random() % 10 == 0) line += '\r';
  return line + '\n';
}

TEST(PatternList, AgreesWithGitOnRandomFiles) {
  std::mt19937 random(7);
  const std::vector<std::string> names = {"a",   "b",   "ab",  "foo", "Foo", "foo.o",
                                          "a.c", "A.O", "a b", "#a",  "!b",  "ab.c"};
  for (int round = 0; round < 25; ++round) {
    Worktree tree;
    for (int i = 0; i < 80; ++i) {
      std::string path = names[random() % names.size()];
      for (size_t depth = random() % 4; depth > 0; --depth) {
        path = names[random() % names.size()] + (random() % 2 ? "d/" : ".o/") + path;
      }
      tree.add_file(path);
    }
    std::string context;
    for (const char* file : {".git/info/exclude", ".gitignore", "ad/.gitignore",
                             "a.o/bd/.gitignore", "food/.gitignore"}) {
      std::string content;
      for (size_t n = random() % 12; n > 0; --n) content += random_line(random);
      tree.set_ignore_file(file, content);
      context += "[" + std::string(file) + "]\n" + content;
    }
    tree.expect_as_git(context);
  }
}

// The hash lookups must give the same result as a scan from the last pattern to the first.
TEST(PatternList, AgreesWithGitOnManyPatterns) {
  std::mt19937 random(11);
  Worktree tree;
  std::string content;
  for (int i = 0; i < 10000; ++i) {
    std::string number = std::to_string(random() % 300);
    static const char* const kShapes[] = {"name",     "*.x",   "/dir/name", "*",
                                          "dir/name", "name*", "Name"};
    std::string shape = kShapes[random() % std::size(kShapes)];
    if (shape == "*") {
      shape = "*me";
    } else if (shape == "name*") {
      content += "name" + number + "[a-c]\n";
      continue;
    }
    if (random() % 3 == 0) content += '!';
    content += shape + number;
    if (random() % 4 == 0) content += '/';
    content += '\n';
  }
  tree.set_ignore_file(".gitignore", content);
  for (int i = 0; i < 400; ++i) {
    std::string number = std::to_string(random() % 330);
    static const char* const kPaths[] = {"name",       "f.x",        "dir/name", "dir/sub/name",
                                         "other/name", "dir/file.x", "NAME"};
    std::string path = kPaths[random() % std::size(kPaths)] + number;
    if (random() % 4 == 0) path += "/file";
    if (random() % 4 == 0) path += 'b';
    tree.add_file(path);
  }
  tree.expect_as_git("10,000 patterns");
}

TEST(PatternList, TwoStarsAfterOtherCharactersLeadNothingSinceGit252) {
  const auto list = PatternList::parse("dir/name**/x\n", "");
  const PatternMatching old{.glob_sees_prefix = false};
  EXPECT_EQ(list->match("dir/namex", "x", false, old), true);
  EXPECT_EQ(list->match("dir/namex", "x", false, {}), std::nullopt);
  for (const PatternMatching& matching : {old, PatternMatching{}}) {
    EXPECT_EQ(list->match("dir/names/x", "x", false, matching), true);
    EXPECT_EQ(list->match("dir/name/x", "x", false, matching), true);
  }
  EXPECT_EQ(list->match("dir/name/s/x", "x", false, old), true);
  EXPECT_EQ(list->match("dir/name/s/x", "x", false, {}), std::nullopt);
}

TEST(PatternList, TellsAPatternAsItIsWritten) {
  const auto list = PatternList::parse("a\n/b\n!/c/d/  \nx\\ \n//e\n\\!f\n", "sub/");
  std::vector<std::string> written;
  for (const Pattern& pattern : list->patterns()) written.push_back(list->written(pattern));
  const std::vector<std::string> expected = {"a", "/b", "!/c/d/", "x\\ ", "//e", "\\!f"};
  EXPECT_EQ(written, expected);
}

}  // namespace
}  // namespace resident
