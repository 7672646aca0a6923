#include "pattern/pathspec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;
using Arguments = std::vector<std::string>;

constexpr char kEmptyBlob[] = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

// The repository has an index full of paths and no commit. `git status` then lists exactly the
// paths that match a pathspec.
class PathspecOracle : public ::testing::Test {
 protected:
  void SetUp() override {
    repo_.init();
    root_ = repo_.work();
    for (const char* directory : {"sub/dir", "a[b]"}) {
      std::filesystem::create_directories(root_ + "/" + directory);
    }
  }

  void fill_index(const std::set<std::string>& files, const std::set<std::string>& gitlinks) {
    std::string input;
    for (const std::string& path : files) {
      input += std::string("100644 ") + kEmptyBlob + "\t" + path + '\0';
    }
    for (const std::string& path : gitlinks) {
      input += std::string("160000 ") + kEmptyBlob + "\t" + path + '\0';
    }
    repo_.git({"hash-object", "-w", "--stdin"});
    repo_.git({"update-index", "-z", "--index-info"}, input);
    files_ = files;
    gitlinks_ = gitlinks;
  }

  void expect_as_git(const Arguments& arguments, const std::string& prefix,
                     const PathspecSettings& settings = {}) {
    repo_.enter("repo/" + prefix);
    Arguments command;
    if (settings.literal) command.push_back("--literal-pathspecs");
    if (settings.glob) command.push_back("--glob-pathspecs");
    if (settings.noglob) command.push_back("--noglob-pathspecs");
    if (settings.ignore_case) command.push_back("--icase-pathspecs");
    for (const char* word : {"status", "--porcelain", "-z", "-uno", "--no-renames", "--"}) {
      command.push_back(word);
    }
    command.insert(command.end(), arguments.begin(), arguments.end());
    auto answer = repo_.try_git(command);

    auto pathspec = Pathspec::parse(arguments, {prefix, root_, settings});
    const std::string context = ::testing::PrintToString(arguments) + " in '" + prefix + "'";
    if (!pathspec.ok() && pathspec.error().code == ErrorCode::kUnsupported) {
      ++unsupported_;
      return;
    }
    ASSERT_EQ(pathspec.ok(), answer.exit_code == 0)
        << context << (pathspec.ok() ? answer.err : pathspec.error().message);
    if (!pathspec.ok()) return;

    std::set<std::string> expected, matched;
    for (size_t at = 0; at < answer.out.size();) {
      size_t end = answer.out.find('\0', at);
      expected.insert(answer.out.substr(at + 3, end - at - 3));
      at = end + 1;
    }
    for (const std::string& path : files_) {
      if (pathspec->match(path) != PathspecMatch::kNone) matched.insert(path);
    }
    for (const std::string& path : gitlinks_) {
      if (pathspec->match(path, true) != PathspecMatch::kNone) matched.insert(path);
    }
    EXPECT_EQ(matched, expected) << context;
    // The walk starts in the common directory and must reach every match. (git stops early for some
    // exclusions and with icase. Our code does the same.)
    const bool plain = !settings.ignore_case &&
                       std::none_of(arguments.begin(), arguments.end(),
                                    [](const std::string& a) { return a.starts_with(':'); });
    const std::string_view start = pathspec->common_directory();
    for (const std::string& path : matched) {
      EXPECT_TRUE((path + "/").starts_with(start)) << context << path;
      for (size_t slash = path.find('/'); slash != std::string::npos;
           slash = path.find('/', slash + 1)) {
        EXPECT_TRUE(pathspec->may_match_at_or_below(path.substr(0, slash))) << context << path;
        if (!plain || slash + 1 <= start.size()) continue;
        EXPECT_NE(pathspec->match_leading(path.substr(0, slash + 1)), PathspecMatch::kNone)
            << context << path;
      }
    }
    ++compared_;
  }

  RepoBuilder repo_;
  std::string root_;
  std::set<std::string> files_, gitlinks_;
  int compared_ = 0;
  int unsupported_ = 0;
};

TEST_F(PathspecOracle, ChosenArguments) {
  fill_index({"a",           "b.c",          "B.C",
              "sub/a",       "sub/b.c",      "sub/dir/a",
              "sub/dir/b.c", "sub/dir2/c.c", "SUB/a",
              "a[b]/x",      "ab/x",         "a*",
              "a\\b",        ":x",           ":(y)",
              "sub2/a",      "sub/[a-c]",    "sub/c",
              "-x",          "sub/Dir/q",    "deep/1/2/3/f.c",
              "deep/1/g.h",  "!n",           "^n",
              "sub/dir/..x", "t/a.b"},
             {"link", "sub/link", "deep/link"});
  const std::vector<Arguments> cases = {{"."},
                                        {"./"},
                                        {".."},
                                        {"../"},
                                        {"../.."},
                                        {"sub"},
                                        {"sub/"},
                                        {"sub/."},
                                        {"./sub/../a"},
                                        {"sub//dir"},
                                        {"a"},
                                        {"a/"},
                                        {"dir"},
                                        {"dir/a"},
                                        {"*"},
                                        {"*.c"},
                                        {"**/*.c"},
                                        {"s*"},
                                        {"s*/a"},
                                        {"sub/*"},
                                        {"sub/*.c"},
                                        {"su?"},
                                        {"[a-c]"},
                                        {"sub/[a-c]"},
                                        {"a\\*"},
                                        {"a\\\\b"},
                                        {"a[b]"},
                                        {"a[b]/x"},
                                        {":/"},
                                        {":"},
                                        {":/a"},
                                        {":/sub/*.c"},
                                        {":/./a"},
                                        {"::x"},
                                        {":::x"},
                                        {":x"},
                                        {":(literal):x"},
                                        {":(literal)sub/[a-c]"},
                                        {":(glob)sub/*"},
                                        {":(glob)**/*.c"},
                                        {":(glob)*.c"},
                                        {":(glob)*"},
                                        {":(glob)s*"},
                                        {":(glob)s*/*"},
                                        {":(icase)SUB"},
                                        {":(icase)sub/A"},
                                        {":(icase)*.C"},
                                        {":(icase)b.c"},
                                        {":(icase,glob)s*/*.C"},
                                        {":(top,icase)SUB/dir"},
                                        {":(top)sub", ":!sub/dir"},
                                        {"*", ":!*.c"},
                                        {":!sub"},
                                        {":^*.c"},
                                        {":(exclude)."},
                                        {":!"},
                                        {":/", ":!/sub"},
                                        {":/", ":/!sub"},
                                        {":(exclude,top)sub", "."},
                                        {":(glob,literal)a"},
                                        {":(nope)a"},
                                        {":(top"},
                                        {":%a"},
                                        {":-a"},
                                        {":()a"},
                                        {":(,top,,icase,)SUB"},
                                        {""},
                                        {"nothing"},
                                        {"sub/dir", "a"},
                                        {"sub/dir/a", "sub/dir/b.c"},
                                        {"sub/d"},
                                        {"link"},
                                        {"link/"},
                                        {"sub/link/"},
                                        {"link/x"},
                                        {"*/link"},
                                        {"*link"},
                                        {"*/"},
                                        {"deep/*/link"},
                                        {"deep/**"},
                                        {"deep/**/f.c"},
                                        {"deep/1/"},
                                        {"../sub2"},
                                        {"../sub"},
                                        {"../su*"},
                                        {"../../deep/*"},
                                        {"../a\\*"},
                                        {root_ + "/sub"},
                                        {root_},
                                        {root_ + "/"},
                                        {root_ + "/sub/../a"},
                                        {root_ + "x"},
                                        {":(attr:x)a"},
                                        {":(prefix:1)a"},
                                        {":(top\\,x)a"},
                                        {":(icase)../SUB/a"},
                                        {":(icase)dir"},
                                        {":(icase)../sub/DIR"},
                                        {"x"},
                                        {"..x"}};
  for (const char* prefix : {"", "sub/", "sub/dir/", "a[b]/"}) {
    for (const Arguments& arguments : cases) expect_as_git(arguments, prefix);
  }
  for (const Arguments& arguments : cases) {
    for (int flags = 1; flags < 16; ++flags) {
      expect_as_git(arguments, flags % 2 ? "sub/" : "",
                    {.literal = flags == 15 || flags == 8,
                     .glob = (flags & 1) != 0,
                     .noglob = (flags & 2) != 0,
                     .ignore_case = (flags & 4) != 0});
    }
  }
  EXPECT_GT(compared_, 700);
  EXPECT_LT(unsupported_, 120);
}

TEST_F(PathspecOracle, RandomArguments) {
  std::mt19937 random(3);
  auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[random() % words.size()]);
  };
  std::set<std::string> files, gitlinks;
  while (files.size() < 300) {
    std::string path = pick({"a", "b", "ab", "A", "a.c", "b.C", "[a]", "x"});
    for (size_t depth = random() % 4; depth > 0; --depth)
      path = pick({"d/", "dd/", "D/", "sub/", "sub/dir/", "a.d/"}) + path;
    (random() % 8 ? files : gitlinks).insert(path);
  }
  for (const std::string& path : gitlinks) files.erase(path);
  fill_index(files, gitlinks);
  for (int i = 0; i < 600; ++i) {
    Arguments arguments;
    for (size_t n = 1 + random() % 3; n > 0; --n) {
      std::string argument = pick({"", "", "", ":!", ":/", ":(glob)", ":(icase)", ":(exclude,glob)",
                                   ":(top,icase)", ":(literal)"});
      for (size_t parts = 1 + random() % 4; parts > 0; --parts) {
        argument += pick({"a", "b", "d", "d/", "sub/", "dir", "*", "**", "**/", "/", "?", "[a]",
                          "../", "./", ".c", "A", "D/", "dd/"});
      }
      if (argument.starts_with('/')) argument = "a" + argument;
      arguments.push_back(argument);
    }
    expect_as_git(arguments, pick({"", "sub/", "sub/dir/"}));
  }
  EXPECT_GT(compared_, 300);
}

Pathspec parse(const Arguments& arguments) {
  auto pathspec = Pathspec::parse(arguments, {});
  EXPECT_TRUE(pathspec.ok());
  return pathspec.ok() ? *pathspec : Pathspec();
}

TEST(Pathspec, WithoutArgumentsEverythingMatches) {
  Pathspec pathspec = parse({});
  EXPECT_TRUE(pathspec.empty());
  EXPECT_EQ(pathspec.match("a/b"), PathspecMatch::kRecursive);
  EXPECT_TRUE(pathspec.may_match_at_or_below("a"));
  EXPECT_EQ(pathspec.common_directory(), "");
}

TEST(Pathspec, DirectoriesOnTheWayToAMatch) {
  Pathspec pathspec = parse({"a/b/c", "x/*.o"});
  EXPECT_EQ(pathspec.match_leading("a/"), PathspecMatch::kLeading);
  EXPECT_EQ(pathspec.match_leading("a/b/"), PathspecMatch::kLeading);
  EXPECT_EQ(pathspec.match_leading("a/b/c/"), PathspecMatch::kRecursive);
  EXPECT_EQ(pathspec.match_leading("a/bb/"), PathspecMatch::kNone);
  EXPECT_EQ(pathspec.match_leading("x/y/"), PathspecMatch::kLeading);
  EXPECT_EQ(pathspec.match_leading("z/"), PathspecMatch::kNone);
  EXPECT_EQ(parse({"a/"}).match_leading("a/"), PathspecMatch::kExact);
}

TEST(Pathspec, CommonDirectory) {
  EXPECT_EQ(parse({"a/b/c", "a/b/d*"}).common_directory(), "a/b/");
  EXPECT_EQ(parse({"a/b", "c"}).common_directory(), "");
}

}  // namespace
}  // namespace resident
