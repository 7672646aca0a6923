// Compares the untracked and ignored paths with git's, in every mode, on handmade trees.
#include "status/untracked_view.h"

#include <filesystem>

#include "status/scan_test_support.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

class UntrackedViewTest : public ScanTest {
 protected:
  void files(std::initializer_list<const char*> paths) {
    for (const char* path : paths) {
      const std::string name(path);
      if (name.ends_with('/')) {
        stdfs::create_directories(at(name));
      } else {
        repo_.write(name, "1");
      }
    }
  }

  void expect_as_git() {
    const Scanned scanned = scan();
    constexpr const char* kUntracked[] = {"no", "normal", "all"};
    constexpr const char* kIgnored[] = {"no", "traditional", "matching"};
    for (int untracked = 0; untracked < 3; ++untracked) {
      for (int ignored = 0; ignored < 3; ++ignored) {
        SCOPED_TRACE(std::string(kUntracked[untracked]) + " " + kIgnored[ignored]);
        const auto lists = untracked_view(
            posix_file_system(), repo_.work(), *scanned.index, *scanned.top,
            {static_cast<UntrackedMode>(untracked), static_cast<IgnoredMode>(ignored)});
        ASSERT_TRUE(lists.ok());
        const auto told = repo_.try_git({"status", "--porcelain=v2", "-z",
                                         std::string("--untracked-files=") + kUntracked[untracked],
                                         std::string("--ignored=") + kIgnored[ignored]});
        if (told.exit_code != 0) {
          // git refuses this combination. Callers of untracked_view() do too.
          EXPECT_EQ(untracked, 0);
          EXPECT_NE(ignored, 0);
          continue;
        }
        auto parsed = parse_porcelain_v2(told.out);
        ASSERT_TRUE(parsed.ok());
        EXPECT_EQ(lists->untracked, parsed->untracked);
        EXPECT_EQ(lists->ignored, parsed->ignored);
      }
    }
  }
};

TEST_F(UntrackedViewTest, AnEmptyWorktree) {
  expect_as_git();
}

TEST_F(UntrackedViewTest, DirectoriesCollapse) {
  files({"t/f", "t/u", "u/f", "u/v/g", "empty/", "e/e/e/", "a", "a-b/f", "a.b"});
  repo_.git({"add", "t/f"});
  expect_as_git();
}

TEST_F(UntrackedViewTest, IgnoredFilesAndDirectories) {
  files({"t/f", "t/x.o", "x.o", "u/f", "u/x.o", "only/x.o", "only/y.o", "deep/a/b/x.o", "out/f",
         "out/g/h", "mixed/out/f", "mixed/g", "emptyout/out/", "both/x.o", "both/out/f",
         "both/e/"});
  repo_.write(".gitignore", "*.o\nout/\n");
  repo_.git({"add", "t/f", ".gitignore"});
  expect_as_git();
}

TEST_F(UntrackedViewTest, TrackedFilesInIgnoredDirectories) {
  files({"out/f", "out/g", "out/sub/h", "out/sub2/i", "out2/x/y/z"});
  repo_.git({"add", "-f", "out/f", "out/sub/h"});
  repo_.write(".gitignore", "out*\n");
  expect_as_git();
}

TEST_F(UntrackedViewTest, TakenBack) {
  files({"a/b/c", "a/b/d", "a/e", "log/1.log", "log/2.log", "keep/x", "keep/y"});
  repo_.write(".gitignore", "a/*\n!a/b\n*.log\nkeep/*\n!keep/x\n");
  repo_.write("log/.gitignore", "!1.log\n");
  expect_as_git();
}

TEST_F(UntrackedViewTest, EverythingIgnored) {
  files({"a", "b/c", "d/e/f"});
  repo_.write(".git/info/exclude", "*\n");
  expect_as_git();
}

TEST_F(UntrackedViewTest, NestedRepositories) {
  files({"n/f", "u/n/f", "u/g", "out/n/f", "out/g", "o/"});
  for (const char* path : {"n", "u/n", "out/n", "o", "alone/n"}) repo_.git({"init", "-q", path});
  repo_.write(".gitignore", "out\n");
  expect_as_git();
  repo_.git({"init", "-q", "ignored/n"});
  repo_.write(".gitignore", "out/*\nignored/n/\n");
  expect_as_git();
}

TEST_F(UntrackedViewTest, ANestedRepositoryWithTrackedFiles) {
  files({"n/f", "n/g"});
  repo_.git({"add", "n/f"});
  repo_.git({"init", "-q", "n"});
  expect_as_git();
}

TEST_F(UntrackedViewTest, ADirectoryWhereTheIndexHasAFile) {
  files({"a", "b", "c"});
  repo_.git({"add", "-A"});
  for (const char* path : {"a", "b", "c"}) stdfs::remove(at(path));
  files({"a/f", "b/", "c/x.o", "c/d/e"});
  repo_.write(".gitignore", "*.o\n");
  expect_as_git();
  repo_.write(".gitignore", "a\nc\n");
  expect_as_git();
}

TEST_F(UntrackedViewTest, LinksAndSpecialFiles) {
  files({"d/f"});
  stdfs::create_symlink("d", at("link"));
  stdfs::create_symlink("nowhere", at("broken"));
  stdfs::create_directory(at("special"));
  ASSERT_EQ(::mkfifo(at("special/pipe").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  expect_as_git();
}

TEST_F(UntrackedViewTest, NamesInByteOrder) {
  files({"a/x", "a-/x", "a0", "a.c", "A", "\xc3\xa4", "\xff", "new\nline", "tab\tname", "a b"});
  expect_as_git();
}

}  // namespace
}  // namespace resident
