#include "attributes/attribute_stack.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "git/git_rules.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;
// Maps each path to its specified attributes, with the states that check-attr prints.
using Answers = std::map<std::string, std::map<std::string, std::string>>;

// Attributes files by name. "user" means core.attributesFile.
using Files = std::map<std::string, std::string>;

// The matching rules of the git on PATH.
PatternMatching matching_of_git(bool ignore_case) {
  return {ignore_case, current_git_rules().value().glob_sees_prefix};
}

std::string base_of(const std::string& file) {
  return file.substr(0, file.rfind('/') + 1);
}

Answers ask_git(const Files& files, const std::vector<std::string>& paths, bool ignore_case) {
  RepoBuilder repo;
  repo.init();
  repo.set_environment("GIT_ATTR_NOSYSTEM", "1");
  for (const auto& [name, content] : files) {
    repo.write(name == "user"   ? ".git/user"
               : name == "info" ? ".git/info/attributes"
                                : name,
               content);
  }
  std::string input;
  for (const std::string& path : paths) input += path + '\0';
  const std::string out = repo.git(
      {"-c", ignore_case ? "core.ignorecase=true" : "core.ignorecase=false", "-c",
       "core.attributesFile=" + repo.work() + "/.git/user", "check-attr", "-z", "--stdin", "-a"},
      input);
  Answers answers;
  for (const std::string& path : paths) answers[path];
  size_t at = 0;
  auto field = [&] {
    size_t end = out.find('\0', at);
    std::string value = out.substr(at, end - at);
    at = end + 1;
    return value;
  };
  while (at < out.size()) {
    std::string path = field(), attribute = field();
    answers[path][attribute] = field();
  }
  return answers;
}

Answers ask_ourselves(const Files& files, const std::vector<std::string>& paths, bool ignore_case) {
  auto parse = [&](const std::string& name) -> std::shared_ptr<const AttributeFile> {
    auto found = files.find(name);
    if (found == files.end()) return nullptr;
    return AttributeFile::parse(found->second, base_of(name), AttributeSource::kFile);
  };
  auto top =
      AttributeStack::create({nullptr, parse("user"), parse(".gitattributes"), parse("info")});
  Answers answers;
  for (const std::string& path : paths) {
    auto stack = top;
    for (size_t slash = path.find('/'); slash != std::string::npos && slash + 1 < path.size();
         slash = path.find('/', slash + 1)) {
      if (auto file = parse(path.substr(0, slash + 1) + ".gitattributes")) {
        stack = stack->with_directory(file);
      }
    }
    auto& answer = answers[path];
    const PathAttributes attributes = stack->lookup(path, matching_of_git(ignore_case));
    const auto decisions = stack->decisions(path, matching_of_git(ignore_case));
    EXPECT_EQ(decisions.size(), attributes.values().size());
    for (const auto& decision : decisions) {
      EXPECT_EQ(decision.value, attributes.get(decision.name)) << decision.name;
    }
    for (const auto& [name, value] : attributes.values()) {
      EXPECT_TRUE(stack->mentions(name)) << name;
      if (value.is_unspecified()) continue;
      answer[std::string(name)] = value.is_set()     ? "set"
                                  : value.is_unset() ? "unset"
                                                     : std::string(value.value);
    }
  }
  return answers;
}

void expect_as_git(const Files& files, const std::vector<std::string>& paths) {
  std::string context;
  for (const auto& [name, content] : files) context += "[" + name + "]\n" + content + "\n";
  for (bool ignore_case : {false, true}) {
    Answers git = ask_git(files, paths, ignore_case);
    ASSERT_EQ(git.size(), paths.size());
    Answers ours = ask_ourselves(files, paths, ignore_case);
    for (const std::string& path : paths) {
      EXPECT_EQ(ours[path], git[path]) << path << " ignore_case " << ignore_case << "\n" << context;
    }
  }
}

const std::vector<std::string> kPaths = {
    "a",         "a.c",         "A.C",       "b.bin", "sp ace",
    "tab\tname", "dir/a.c",     "dir/sub/a", "dir/b", "#x",
    "!x",        "[attr]x",     "\"q",       "dir/",  "other/dir/a.c",
    "\xc3\xa9",  "back\\slash", "dir/sub/",  "name",  "DIR/a.c"};

TEST(AttributeStack, TellsTheRuleOfEachDecision) {
  const auto root = AttributeFile::parse("[attr]inner a\n[attr]outer inner -b\n\n*.c outer c=1\n",
                                         "", AttributeSource::kFile);
  const auto info = AttributeFile::parse("x.c c=2\n*.c binary\n", "", AttributeSource::kInfo);
  const auto stack = AttributeStack::create({nullptr, nullptr, root, info});
  std::string told;
  for (const auto& decision : stack->decisions("x.c", {})) {
    told.append(decision.name).append(" by ").append(decision.rule->written);
    told += " in " + std::to_string(decision.rule->line);
    told += decision.file == info.get() ? " of info" : "";
    if (!decision.macro.empty()) told.append(" through ").append(decision.macro);
    told += "\n";
  }
  EXPECT_EQ(told,
            "a by *.c in 4 through outer\n"
            "b by *.c in 4 through outer\n"
            "binary by *.c in 2 of info\n"
            "c by x.c in 1 of info\n"
            "diff by *.c in 2 of info through binary\n"
            "inner by *.c in 4 through outer\n"
            "merge by *.c in 2 of info through binary\n"
            "outer by *.c in 4\n"
            "text by *.c in 2 of info through binary\n");
}

TEST(AttributeStack, AgreesWithGitOnTheFormatOfLines) {
  const std::vector<std::string> contents = {
      "* text\n",
      "*.c text=auto eol=lf\r\n",
      "\xef\xbb\xbf*.c text\n",
      "  *.c\ttext  -diff\t!merge \n",
      "*.c text",
      "*.c text\r",
      "# *.c text\n#x text\n\\#x text\n",
      "!x text\n",
      "\\!x text\n",
      "\"sp ace\" text\n",
      "\"tab\\tname\" a\n",
      "\"\\303\\251\" b\n",
      "\"back\\\\slash\" c\n",
      "\"open text\n",
      "\"bad\\q\" text\n",
      "\"a.c\"text\n",
      "\"\" text\n",
      "\"\\000a\" x\n",
      "[attr]m text -diff x=1\n*.c m\n",
      "[attr]m n\n[attr]n m z\n* m\n",
      "* m\n[attr]m z\n[attr]m y\n",
      "[attr] m z\n* m\n",
      "\"[attr] m\" z\n* m\n",
      "[attr]m\n* m\n",
      "[attr]-m x\n* x\n",
      "[attr]\n",
      "[attr]x z\n",
      "*.bin binary\n",
      "*.bin binary text\n",
      "*.bin text binary\n",
      "*.bin -binary\n",
      "*.bin !binary text\n",
      "[attr]binary foo\n*.bin binary\n",
      "*.c -text=no\n",
      "*.c !text=no\n",
      "*.c text=\n",
      "*.c =x\n",
      "*.c a b/c\n",
      "*.c a --b\n",
      "*.c - \n",
      "*.c ! \n",
      "*.c a=b=c\n",
      "*.c a.b_c-d=1\n",
      "*.c \xc3\xa9\n",
      "*.c a\n*.c -a\n*.c !a\n",
      "*.c a !a -a\n",
      "a\n",
      "dir/ x\n",
      "dir/** x\n",
      "/dir x\n",
      "dir x\n",
      "*/a.c x\n",
      "**/a.c x\n",
      "/*.c x\n",
      "dir/sub x\n",
      "DIR/*.C x\n",
      std::string("*.c a\0b\n", 8) + "a c\n",
      std::string(2040, ' ') + "*.c x\n",
      std::string(2043, ' ') + "a x\n",
      std::string(2044, ' ') + "a x\n",
      std::string(2045, ' ') + "a x\r\n",
      std::string(2044, ' ') + "a x\r\n",
      "* a=set b=unset c=unspecified\n",
      "a text -text\n\n\n \n",
  };
  for (const std::string& content : contents) expect_as_git({{".gitattributes", content}}, kPaths);
}

TEST(AttributeStack, PrecedenceOfFiles) {
  expect_as_git({{"user", "* a=user b=user c=user d=user\n[attr]m from=user\n"},
                 {".gitattributes", "* a=root b=root c=root\n*.c m\n[attr]m from=root\n"},
                 {"dir/.gitattributes", "* a=dir b=dir\n[attr]m from=dir\n/a.c x\nsub/a y\n"},
                 {"dir/sub/.gitattributes", "a !a -b\n"},
                 {"info", "* a=info\ndir/a.c !c\n"}},
                kPaths);
}

TEST(AttributeStack, AgreesWithGitOnRandomFiles) {
  std::mt19937 random(5);
  auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[random() % words.size()]);
  };
  for (int round = 0; round < 60; ++round) {
    Files files;
    for (const char* name :
         {"user", ".gitattributes", "dir/.gitattributes", "dir/sub/.gitattributes", "info"}) {
      std::string& content = files[name];
      for (size_t lines = random() % 8; lines > 0; --lines) {
        if (random() % 4 == 0) {
          content += "[attr]" + pick({"m", "n", "o", "binary"});
        } else {
          content += pick({"*", "*.c", "a*", "dir/*", "**/a", "/dir/**", "a.c", "sub/a", "\"a.c\"",
                           "dir/sub", "!a", "?"});
        }
        for (size_t states = random() % 5; states > 0; --states) {
          content += ' ' + pick({"", "", "-", "!"}) +
                     pick({"m", "n", "o", "binary", "text", "diff", "x"}) +
                     pick({"", "", "", "=1", "=auto"});
        }
        content += '\n';
      }
    }
    expect_as_git(files, kPaths);
  }
}

TEST(AttributeStack, MentionsFollowMacros) {
  auto parse = [](std::string content) {
    return AttributeFile::parse(std::move(content), "", AttributeSource::kFile);
  };
  EXPECT_FALSE(AttributeStack::create({})->mentions("text"));
  EXPECT_TRUE(AttributeStack::create({.root = parse("*.png binary\n")})->mentions("text"));
  EXPECT_FALSE(AttributeStack::create({.root = parse("[attr]m text\n*.c x\n")})->mentions("text"));
  auto stack = AttributeStack::create({.root = parse("[attr]m text\n*.c x\n")});
  EXPECT_TRUE(stack->with_directory(AttributeFile::parse("* m\n", "d/", AttributeSource::kFile))
                  ->mentions("text"));
}

TEST(AttributeStack, ABlobOfTheIndexKeepsItsByteOrderMark) {
  auto file = AttributeFile::parse("\xef\xbb\xbf* text\n", "", AttributeSource::kIndex);
  EXPECT_TRUE(AttributeStack::create({.root = file})->lookup("a", {}).get("text").is_unspecified());
  file = AttributeFile::parse(std::string("* a\n\0* b\n", 10), "", AttributeSource::kIndex);
  EXPECT_FALSE(AttributeStack::create({.root = file})->mentions("b"));
}

TEST(AttributeStack, LongMacroChainsEnd) {
  std::string content = "* m0\n";
  for (int i = 0; i < 100000; ++i) {
    content += "[attr]m" + std::to_string(i) + " m" + std::to_string(i + 1) + "\n";
  }
  auto stack =
      AttributeStack::create({.root = AttributeFile::parse(content, "", AttributeSource::kFile)});
  EXPECT_TRUE(stack->lookup("a", {}).get("m100000").is_set());
}

}  // namespace
}  // namespace resident
