// Compares the untracked and ignored paths within a pathspec with git's, in every mode, on random
// trees with random pathspecs.
#include <filesystem>
#include <random>

#include "status/scan_test_support.h"
#include "status/untracked_view.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using Arguments = testing::RepoBuilder::Arguments;

class LimitedViewTest : public ScanTest {
 protected:
  void expect_as_git(const Arguments& pathspecs) {
    const Scanned scanned = scan();
    auto pathspec = Pathspec::parse(pathspecs, {});
    ASSERT_TRUE(pathspec.ok());
    const PathLimit limit(std::make_shared<const Pathspec>(*pathspec), nullptr);
    constexpr const char* kUntracked[] = {"no", "normal", "all"};
    constexpr const char* kIgnored[] = {"no", "traditional", "matching"};
    for (int untracked = 1; untracked < 3; ++untracked) {
      for (int ignored = 0; ignored < 3; ++ignored) {
        Arguments command = {"status",
                             "--porcelain=v2",
                             "-z",
                             std::string("--untracked-files=") + kUntracked[untracked],
                             std::string("--ignored=") + kIgnored[ignored],
                             "--"};
        command.insert(command.end(), pathspecs.begin(), pathspecs.end());
        SCOPED_TRACE(::testing::PrintToString(command));
        auto told = parse_porcelain_v2(repo_.git(command));
        const auto lists = untracked_view(
            posix_file_system(), repo_.work(), *scanned.index, *scanned.top,
            {static_cast<UntrackedMode>(untracked), static_cast<IgnoredMode>(ignored), limit});
        ASSERT_TRUE(told.ok() && lists.ok());
        EXPECT_EQ(lists->untracked, told->untracked);
        EXPECT_EQ(lists->ignored, told->ignored);
        shown_ += told->untracked.size() + told->ignored.size();
      }
    }
  }

  std::string pick(std::initializer_list<const char*> words) {
    return std::string(words.begin()[random_() % words.size()]);
  }

  std::mt19937 random_{7};
  size_t shown_ = 0;
};

// A directory that matches one glob is not entered for the path of another element.
TEST_F(LimitedViewTest, SeveralElementsAndOneDirectory) {
  for (const char* path : {"new/a", "new/b/c", "ign/a", "ign/b/c", "t/f"}) repo_.write(path, "");
  repo_.write(".gitignore", "ign\n");
  repo_.git({"add", "t/f"});
  for (const Arguments& pathspecs : std::vector<Arguments>{{"new", "new/b/c"},
                                                           {"new?", "new/b/c"},
                                                           {"ne*", "new/b/c"},
                                                           {"new/", "new/b/"},
                                                           {"new/b/c", "*/a"},
                                                           {"ign/b/c", "x"},
                                                           {"ign", ":!ign/b"},
                                                           {"new", ":!new/a"},
                                                           {"*", ":!new/b"}}) {
    expect_as_git(pathspecs);
  }
}

TEST_F(LimitedViewTest, RandomTreesAndPathspecs) {
  for (int round = 0; round < 12; ++round) {
    stdfs::remove_all(repo_.work());
    repo_.init();
    const auto directory = [&] {
      std::string path;
      for (size_t depth = random_() % 4; depth > 0; --depth)
        path += pick({"d/", "e/", "ab/", "x.o/"});
      return path;
    };
    for (size_t n = 10 + random_() % 20; n > 0; --n) {
      const std::string path = directory() + pick({"a", "b.c", "y.o", "aa", "f.tmp"});
      if (!stdfs::exists(at(path))) repo_.write(path, "");
      if (random_() % 6 == 0) repo_.git({"add", "-f", path});
    }
    if (const std::string nested = directory() + "n"; random_() % 2)
      repo_.git({"init", "-q", nested});
    repo_.write(".gitignore", pick({"", "*.o\n", "d/\n", "d/*\n!d/a\n", "*\n!*/\n", "x.o/\ne\n"}));
    for (int question = 0; question < 12; ++question) {
      Arguments pathspecs;
      for (size_t n = 1 + random_() % 3; n > 0; --n) {
        pathspecs.push_back(
            pick({"", "", "", ":!", ":(glob)", ":(icase)", ":(literal)"}) +
            (random_() % 2 ? directory() : pick({"*/", "d/", "d*/", "?/"})) +
            pick({"a", "b.c", "x.o", "d", "e/", "*", "*.c", "a?", "n", "n/", "y.o", "[a-e]"}));
      }
      expect_as_git(pathspecs);
    }
  }
  EXPECT_GT(shown_, 1000u);
}

}  // namespace
}  // namespace resident
