#include "pattern/wildmatch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "git/git_rules.h"
#include "pattern/path_pattern.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"

namespace resident {
namespace {

using testing::RepoBuilder;
using testing::value_of;

// Asks git's attributes about every pair of pattern and text. The result has the pair (i, text) if
// pattern i matches. A '/' before each pattern makes git match whole paths with WM_PATHNAME.
std::set<std::pair<size_t, std::string>> ask_git(const std::vector<std::string>& patterns,
                                                 const std::vector<std::string>& texts,
                                                 bool ignore_case) {
  RepoBuilder repo;
  repo.init();
  std::string attributes;
  for (size_t i = 0; i < patterns.size(); ++i) {
    attributes += "\"/";
    for (char c : patterns[i]) {
      if (c == '"' || c == '\\') attributes += '\\';
      attributes += c;
    }
    attributes += "\" p" + std::to_string(i) + "\n";
  }
  repo.write(".gitattributes", attributes);
  std::string input;
  for (const std::string& text : texts) input += text + '\0';
  const std::string fold = ignore_case ? "core.ignorecase=true" : "core.ignorecase=false";
  const std::string out = repo.git({"-c", fold, "check-attr", "-z", "--stdin", "-a"}, input);

  std::set<std::pair<size_t, std::string>> result;
  size_t at = 0;
  auto field = [&] {
    size_t end = out.find('\0', at);
    std::string value = out.substr(at, end - at);
    at = end + 1;
    return value;
  };
  while (at < out.size()) {
    std::string text = field();
    std::string attribute = field();
    field();
    result.emplace(std::stoul(attribute.substr(1)), text);
  }
  return result;
}

bool match_as_attribute(const std::string& pattern, const std::string& text,
                        const PatternMatching& matching) {
  PathPattern whole;
  whole.text = pattern;
  whole.literal_prefix = literal_prefix_length(pattern);
  return whole.matches_path(text, matching);
}

void expect_as_git(const std::vector<std::string>& patterns,
                   const std::vector<std::string>& texts) {
  PatternMatching matching;
  matching.glob_sees_prefix = value_of(current_git_rules()).glob_sees_prefix;
  for (bool ignore_case : {false, true}) {
    matching.ignore_case = ignore_case;
    auto matches = ask_git(patterns, texts, ignore_case);
    EXPECT_FALSE(matches.empty());
    for (size_t i = 0; i < patterns.size(); ++i) {
      for (const std::string& text : texts) {
        EXPECT_EQ(match_as_attribute(patterns[i], text, matching), matches.contains({i, text}))
            << "pattern <" << patterns[i] << "> text <" << text << "> ignore_case " << ignore_case;
      }
    }
  }
}

TEST(Wildmatch, AgreesWithGitOnChosenPatterns) {
  expect_as_git(
      {"*",
       "**",
       "?",
       "a",
       "a*",
       "*a",
       "*a*",
       "a?b",
       "**/a",
       "**/a*",
       "a/**",
       "a/**/b",
       "**/a/**",
       "a**",
       "a**b",
       "a/**b",
       "a/***/b",
       "x**/b",
       "*/a",
       "*/*",
       "*/*/*",
       "a/*",
       "a/*/b",
       "**/*/b",
       "[ab]",
       "[!ab]",
       "[^ab]",
       "[a-c]x",
       "[A-C]x",
       "[]]",
       "[]-]",
       "[!]-]",
       "[]-a]",
       "[a-]",
       "[-a]",
       "[a-",
       "[!",
       "[",
       "a[",
       "[[:alpha:]]",
       "[[:upper:]]",
       "[[:lower:]]",
       "[[:digit:]-z]",
       "[[:nope:]]",
       "[[:alpha:]",
       "[[:]",
       "[[::]]",
       "[[:alpha]",
       "[[:space:]]",
       "[[:punct:]]",
       "[[:cntrl:]]",
       "[[:graph:]]",
       "[[:print:]]",
       "[[:blank:]]",
       "[[:alnum:]]",
       "[[:xdigit:]]",
       "[[:digit:]]",
       "\\a",
       "\\A",
       "\\*",
       "\\\\",
       "a\\",
       "*\\",
       "[\\]]",
       "[\\\\]",
       "[\\a-\\c]x",
       "a[/]b",
       "a[!x]b",
       "a\\/b",
       "**\\/b",
       "*\\/b",
       "*[ab]/**/*[bc]",
       "**/**/b",
       "a/**/**/b",
       "**/b/**/c",
       "*.c",
       "*.[ch]",
       "*.c*.h",
       "*b*b*b",
       "**/*b*b",
       "[[-\\]]",
       "[,-.]",
       "[a-e-n]",
       "A*",
       "[A]",
       "*B",
       "a/B*"},
      {
          "a",     "b",     "A",      "B",     "ab",       "ba",  "axb",   "ax",   "bx",
          "cx",    "Cx",    "a/b",    "a/x/b", "a/x/y/b",  "b/a", "x/y/a", "xy/b", "x/b",
          "xb",    "b/a/c", "b/c",    "a/b/c", "]",        "-",   "^",     "[",    "a[",
          "!",     " ",     "\t",     "\v",    "\f",       "\r",  "\x01",  "\x7f", "_",
          "5",     "f",     "z",      "\\",    "a\\",      "*",   "a.c",   "a.h",  "x/a.c",
          "a.c.h", "bbb",   "xbxbxb", "x/bb",  "\xc3\xa9", "[a",  "n",     ",",    "+",
          "aB/c",  "a/Bc",  "e",
      });
}

TEST(Wildmatch, AgreesWithGitOnRandomPatterns) {
  std::mt19937 random(20240611);
  const std::vector<std::string> pieces = {
      "a", "b", "A", "/",   "*",   "**",    "**/",         "/**/",        "?", "[ab]", "[!a]",
      "[", "]", "-", "\\a", "\\*", "[a-b]", "[[:alpha:]]", "[[:upper:]]", ".", "x"};
  std::vector<std::string> patterns;
  for (int i = 0; i < 1500; ++i) {
    std::string pattern;
    for (size_t n = 1 + random() % 6; n > 0; --n) pattern += pieces[random() % pieces.size()];
    // A trailing slash means a directory, and the test itself adds a leading slash.
    if (pattern.ends_with('/') || pattern.starts_with('/')) pattern = "a" + pattern + "b";
    patterns.push_back(pattern);
  }
  std::set<std::string> texts;
  while (texts.size() < 120) {
    std::string text;
    for (size_t n = 1 + random() % 4; n > 0; --n) {
      for (size_t length = 1 + random() % 3; length > 0; --length) text += "abAx"[random() % 4];
      if (n > 1) text += '/';
    }
    texts.insert(text);
  }
  expect_as_git(patterns, {texts.begin(), texts.end()});
}

TEST(Wildmatch, WithoutPathnameEverythingCrossesSlashes) {
  for (const char* pattern :
       {"a*c", "a**c", "a?b?c", "a[/]b*", "a[!x]b/c", "*", "a/*/c*", "*/*c"}) {
    EXPECT_TRUE(wildmatch(pattern, "a/b/c", {})) << pattern;
  }
  // Without pathname `**/` is not "any number of directories": its slash must match.
  EXPECT_FALSE(wildmatch("**/a", "a", {}));
  EXPECT_TRUE(wildmatch("**/a", "a", {.pathname = true}));
}

TEST(Wildmatch, TextsThatEndInASlash) {
  EXPECT_TRUE(wildmatch("**/b/**", "a/b/", {.pathname = true}));
  EXPECT_TRUE(wildmatch("a/*", "a/", {.pathname = true}));
  EXPECT_FALSE(wildmatch("a/*", "a/b/", {.pathname = true}));
  EXPECT_TRUE(wildmatch("", "", {}));
  EXPECT_FALSE(wildmatch("", "a", {}));
}

TEST(Wildmatch, ManyStarsStayPolynomial) {
  std::string pattern, text;
  for (int i = 0; i < 200; ++i) {
    pattern += i % 3 == 0 ? "**/*a" : "*a";
    text += i % 5 == 0 ? "aaaaaaaaaaaaaaaaaaa/" : "aaaaaaaaaaaaaaaaaaaa";
  }
  pattern += "b";
  auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(wildmatch(pattern, text, {.pathname = true}));
  EXPECT_FALSE(wildmatch(pattern, text, {}));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

}  // namespace
}  // namespace resident
