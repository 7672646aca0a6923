// Scans whose threads each have a private table of file descriptors.
#include <fcntl.h>

#include <atomic>
#include <filesystem>

#include "os/unique_fd.h"
#include "status/directory_reader.h"
#include "status/scan_test_support.h"
#include "testing/counting_file_system.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using testing::CountingFileSystem;

size_t open_descriptors() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : stdfs::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

class ScanApartTest : public ScanTest {
 protected:
  ScanApartTest() {
    repo_.write(".gitignore", "*.o\n");
    for (const char* path : {"f", "a/f", "a/b/f", "a/b/c/f", "a/b/c/g", "x/y/f"}) {
      repo_.write(path, "1\n");
    }
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-qm", "1"});
    repo_.write("a/b/c/g", "changed\n");
    repo_.write("a/b/new/new", "");
    repo_.write("x/y/z.o", "");
  }

  // Scans with one thread, but each task is handled like one from another thread. Calls
  // `before(node)` before each task.
  template <typename Before>
  Scanned scan_by_path(FileSystem& fs, Before&& before, UntrackedNeed untracked) {
    return scan_by(
        [&](const ScanContext& context, Scanned& out, Directory root) {
          auto again = fs.open_directory(repo_.work());
          ASSERT_TRUE(again.ok());
          DirectoryReader reader(context,
                                 std::make_shared<const Directory>(std::move(again).value()));
          std::vector<DirectoryReader::Task> tasks;
          const auto push = [&](DirectoryReader::Task task) {
            task.parent.reset();
            tasks.push_back(std::move(task));
          };
          reader.read({out.top.get(), std::move(root), nullptr}, push);
          while (!tasks.empty()) {
            DirectoryReader::Task task = std::move(tasks.back());
            tasks.pop_back();
            before(*task.node);
            reader.read(std::move(task), push);
          }
          out.findings = std::move(reader.findings());
        },
        1, fs, nullptr, {.untracked = untracked, .once = true});
  }
  // The same; calls `change()` before directory c in a/b is read.
  template <typename Change>
  Scanned scan_changed(FileSystem& fs, Change&& change,
                       UntrackedNeed untracked = UntrackedNeed::kAll) {
    bool is_changed = false;
    Scanned scanned = scan_by_path(
        fs,
        [&](const DirectoryNode& node) {
          if (node.name == "c" && !std::exchange(is_changed, true)) change();
        },
        untracked);
    EXPECT_TRUE(is_changed);
    return scanned;
  }
  EntryState state_of(const Scanned& scanned, std::string_view path) const {
    return scanned.states[*scanned.index->find_path(path)];
  }
};

TEST_F(ScanApartTest, AnyNumberOfThreadsFindsTheSame) {
  for (int i = 0; i < 3000; ++i) {
    const std::string name = std::to_string(i);
    repo_.write("many/" + std::to_string(i % 7) + "/" + std::to_string(i % 60) + "/" + name +
                    (i % 11 == 0 ? ".o" : "/f"),
                name);
    if (i == 2000) repo_.git({"add", "-A"});
  }
  // A thread's own descriptors can have the same numbers.
  std::vector<UniqueFd> held;
  for (int i = 0; i < 8; ++i) held.emplace_back(::open("/", O_RDONLY | O_CLOEXEC));
  const size_t before = open_descriptors();
  for (const UntrackedNeed untracked :
       {UntrackedNeed::kAll, UntrackedNeed::kFirst, UntrackedNeed::kNone}) {
    const Asked asked{.untracked = untracked, .once = true};
    const std::string alone = scan(1, posix_file_system(), nullptr, asked).text();
    for (const unsigned threads : {2u, 3u, 8u}) {
      EXPECT_EQ(scan(threads, posix_file_system(), nullptr, asked).text(), alone);
    }
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(ScanApartTest, WhatAnotherThreadFoundIsOpenedByItsPath) {
  for (const UntrackedNeed untracked :
       {UntrackedNeed::kAll, UntrackedNeed::kFirst, UntrackedNeed::kNone}) {
    const Asked asked{.untracked = untracked, .once = true};
    EXPECT_EQ(scan_by_path(
                  posix_file_system(), [](const DirectoryNode&) {}, untracked)
                  .text(),
              scan(1, posix_file_system(), nullptr, asked).text());
  }
}

TEST_F(ScanApartTest, WhatIsGoneMeanwhileIsAbsent) {
  const Scanned scanned =
      scan_changed(posix_file_system(), [&] { stdfs::rename(at("a"), at("elsewhere")); });
  EXPECT_EQ(state_of(scanned, "a/b/c/f"), EntryState::absent());
  EXPECT_FALSE(state_of(scanned, "a/f").is_absent()) << "that was read before";
}

TEST_F(ScanApartTest, AWayThatIsALinkMeanwhileIsNotFollowed) {
  for (const UntrackedNeed untracked : {UntrackedNeed::kAll, UntrackedNeed::kNone}) {
    const Scanned scanned = scan_changed(
        posix_file_system(),
        [&] {
          stdfs::rename(at("a/b"), at("elsewhere"));
          stdfs::create_directory_symlink(at("elsewhere"), at("a/b"));
        },
        untracked);
    EXPECT_EQ(state_of(scanned, "a/b/c/f"), EntryState::absent());
    stdfs::remove(at("a/b"));
    stdfs::rename(at("elsewhere"), at("a/b"));
  }
}

// Like a directory without permission to list: its files are examined if possible.
TEST_F(ScanApartTest, WhereADirectoryOnTheWayCannotBeOpenedFilesAreLookedAtAllTheSame) {
  CountingFileSystem fs;
  const Scanned scanned = scan_changed(fs, [&] {
    fs.set_fault([](CountingFileSystem::Call call, std::string_view path) {
      return call == CountingFileSystem::Call::kOpen && path == "b"
                 ? std::optional(Error{ErrorCode::kIo, "b: Too many open files"})
                 : std::nullopt;
    });
  });
  EXPECT_FALSE(state_of(scanned, "a/b/c/f").is_absent());
  EXPECT_FALSE(state_of(scanned, "a/b/c/f").differs());
  EXPECT_TRUE(state_of(scanned, "a/b/c/g").differs());
  ASSERT_FALSE(scanned.findings.problems.empty());
  EXPECT_NE(scanned.findings.problems[0].find("Too many open files"), std::string::npos);
  EXPECT_FALSE(scanned.findings.unreadable.empty());
}

// None of the started threads can open the root. In the second round the starting thread cannot
// either.
TEST_F(ScanApartTest, WhoCannotOpenTheRootLeavesTheWorkToOthers) {
  const std::string alone = scan(1, posix_file_system(), nullptr, {.once = true}).text();
  for (const int some : {2, 1}) {
    CountingFileSystem fs;
    std::atomic<int> opened{0};
    fs.set_fault([&](CountingFileSystem::Call call, std::string_view path) {
      const bool is_refused =
          call == CountingFileSystem::Call::kOpen && path == repo_.work() && ++opened > some;
      return is_refused ? std::optional(Error{ErrorCode::kIo, "refused"}) : std::nullopt;
    });
    EXPECT_EQ(scan(5, fs, nullptr, {.once = true}).text(), alone);
    EXPECT_EQ(opened, some == 2 ? 6 : 2);
  }
}

}  // namespace
}  // namespace resident
