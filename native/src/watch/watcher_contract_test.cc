// The contract of Watcher, over each kind of backend: inotify, fanotify, the fake, and a recursive
// watcher with different habits.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "fs/linux/posix_file_system.h"
#include "testing/fake_recursive_watcher.h"
#include "testing/fake_watcher.h"
#include "testing/needs_inotify.h"
#include "testing/repo_builder.h"
#include "watch/linux/fanotify/fanotify_watcher.h"
#include "watch/linux/inotify/inotify_watcher.h"
#include "watch/watcher.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using testing::FakeRecursiveWatcher;
using testing::FakeWatcher;
using testing::WatchHabits;

std::string joined(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && !name.empty()) path += "/";
  return path.append(name);
}
std::string parent_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}
std::string name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Whether a recursive watcher may report `name` as `reported`.
bool may_mean(std::string_view reported, std::string_view name) {
  if (equal_bytes(reported, name, true)) return true;
  const size_t tilde = reported.find('~');
  return tilde != std::string_view::npos &&
         starts_with_bytes(name, reported.substr(0, tilde), true);
}

// Whether `reported` may mean `path`, or a directory above it. The second result: the path itself.
std::pair<bool, bool> leads_to(std::string_view reported, std::string_view path) {
  while (!reported.empty()) {
    const size_t end = std::min(reported.find('/'), reported.size());
    const size_t path_end = std::min(path.find('/'), path.size());
    if (path.empty() || !may_mean(reported.substr(0, end), path.substr(0, path_end))) {
      return {false, false};
    }
    reported.remove_prefix(std::min(end + 1, reported.size()));
    path.remove_prefix(std::min(path_end + 1, path.size()));
  }
  return {true, path.empty()};
}

struct ContractBackend {
  const char* name;
  std::unique_ptr<Watcher> (*make)(std::function<void()> wake);
};

std::unique_ptr<Watcher> make_fanotify(std::function<void()> wake) {
  return std::make_unique<FanotifyWatcher>(std::move(wake));
}
std::unique_ptr<Watcher> make_fake(std::function<void()> /*wake*/) {
  return std::make_unique<FakeWatcher>(posix_file_system());
}
template <bool kCoalesces, bool kRenames>
std::unique_ptr<Watcher> make_recursive(std::function<void()> wake) {
  const WatchHabits habits{.coalesces = kCoalesces, .renames = kRenames};
  return std::make_unique<FakeRecursiveWatcher>(posix_file_system(), make_inotify_watcher([] {}),
                                                habits, 1, std::move(wake));
}

const ContractBackend kKernelBackends[] = {
    {"Inotify", make_inotify_watcher},
    {"Fanotify", make_fanotify},
};
const ContractBackend kFakeBackends[] = {
    {"Fake", make_fake},
    {"Recursive", make_recursive<false, false>},
    {"RecursiveThatCoalesces", make_recursive<true, false>},
    {"RecursiveWithOtherNames", make_recursive<true, true>},
};

void PrintTo(const ContractBackend& backend, std::ostream* out) {
  *out << backend.name;
}

class WatcherContractTest : public ::testing::TestWithParam<ContractBackend> {
 protected:
  WatcherContractTest()
      : watcher_(GetParam().make([this] { ++wakes_; })),
        fake_(dynamic_cast<FakeWatcher*>(watcher_.get())),
        recursive_(dynamic_cast<FakeRecursiveWatcher*>(watcher_.get())) {}

  void SetUp() override {
    for (const char* directory : {"a", "a/deep", "b", "long-directory"}) make_directory(directory);
    for (const char* file : {"a/f", "a/deep/f", "b/f", "long-directory/long-file.txt"}) write(file);
    watch();
    if (ids_.empty()) GTEST_SKIP() << "this system does not let a directory be watched by it";
    (void)drained();
  }

  std::string at(std::string_view path) const { return joined(files_.path("root"), path); }
  static bool is_directory(const std::string& path) {
    return stdfs::is_directory(stdfs::symlink_status(path));
  }

  // Watches each directory before it is listed, as a scan does.
  void watch() {
    watcher_->watch_below(at(""));
    watch_from("");
  }
  void watch_from(const std::string& path) {
    Result<Directory> directory = posix_file_system().open_directory(at(path));
    if (!directory.ok()) return;
    const Result<Watcher::Added> added = watcher_->add(*directory);
    ASSERT_TRUE(added.ok()) << added.error().message;
    if (added->id != kNoWatch) ids_[path] = added->id;
    for (const auto& entry : stdfs::directory_iterator(at(path))) {
      if (is_directory(entry.path())) watch_from(joined(path, entry.path().filename().string()));
    }
  }

  // --- Changes. FakeWatcher gets the events of the kernel.

  void mark(const std::string& path, bool arrived) {
    if (fake_) fake_->mark(at(parent_of(path)), name_of(path), arrived);
  }
  void write(const std::string& path) {
    const bool is_new = !stdfs::exists(at(path));
    testing::write_whole_file(at(path), std::to_string(++writes_));
    mark(path, is_new);
  }
  void make_directory(const std::string& path) {
    stdfs::create_directories(at(path));
    mark(path, true);
  }
  void set_mode(const std::string& path, mode_t mode) {
    ASSERT_EQ(::chmod(at(path).c_str(), mode), 0);
    mark(path, false);
  }
  void rename(const std::string& from, const std::string& to) {
    stdfs::rename(at(from), at(to));
    mark(from, false);
    mark(to, true);
  }
  void remove(const std::string& path) {
    std::vector<std::string> below;
    if (is_directory(at(path))) {
      for (const auto& entry : stdfs::directory_iterator(at(path))) {
        below.push_back(entry.path().filename().string());
      }
    }
    for (const std::string& name : below) remove(joined(path, name));
    stdfs::remove(at(path));
    mark(path, false);
  }

  // --- Events

  // Everything from before the call.
  Batch drained() {
    Batch batch;
    if (!watcher_->is_exact()) {
      const Watcher::Barrier barrier = watcher_->begin_sync();
      for (int ticks = 0; !*watcher_->has_synced(barrier); ++ticks) {
        EXPECT_LT(ticks, 10);
        batch.merge(watcher_->drain());
        recursive_->tick();
      }
    }
    batch.merge(watcher_->drain());
    return batch;
  }

  enum class Mark { kNone, kName, kBelow };
  // How `path` is marked: itself, or with everything below it or below a directory above.
  Mark mark_of(const Batch& batch, const std::string& path) const {
    Mark found = Mark::kNone;
    for (const auto& [reported, mark] : batch.paths()) {
      const auto [leads, is_path] = leads_to(reported, path);
      if (leads && mark.below) return Mark::kBelow;
      if (is_path) found = Mark::kName;
    }
    // Some backends mark a directory's attributes only in its own watch.
    if (const auto own = ids_.find(path); own != ids_.end()) {
      const auto marks = batch.directories().find(own->second);
      if (marks != batch.directories().end() && marks->second.names.contains("")) {
        found = Mark::kName;
      }
    }
    for (std::string at = path; !at.empty(); at = parent_of(at)) {
      const auto id = ids_.find(parent_of(at));
      if (id == ids_.end()) continue;
      const auto marks = batch.directories().find(id->second);
      if (marks == batch.directories().end()) continue;
      const auto name = marks->second.names.find(name_of(at));
      const bool is_named = name != marks->second.names.end();
      if (is_named && name->second.arrived) return Mark::kBelow;
      if (marks->second.whole && marks->second.arrived) return Mark::kBelow;
      if (at == path && (is_named || marks->second.whole)) found = Mark::kName;
    }
    return found;
  }
  bool is_marked(const Batch& batch, const std::string& path) const {
    return mark_of(batch, path) != Mark::kNone;
  }

  // By path: everything that decides a file's state; of a directory, its identity and mode.
  using Stat = std::tuple<ino_t, mode_t, off_t, time_t, long>;
  std::map<std::string, Stat> snapshot() const {
    std::map<std::string, Stat> found;
    for (const auto& entry : stdfs::recursive_directory_iterator(at(""))) {
      struct stat stat {};
      EXPECT_EQ(::lstat(entry.path().c_str(), &stat), 0);
      const bool is_file = !S_ISDIR(stat.st_mode);
      found[entry.path().string().substr(at("").size() + 1)] = {
          stat.st_ino, stat.st_mode, is_file ? stat.st_size : 0, is_file ? stat.st_mtim.tv_sec : 0,
          is_file ? stat.st_mtim.tv_nsec : 0};
    }
    return found;
  }

  testing::RepoBuilder files_;  // provides the temporary directory
  std::atomic<int> wakes_{0};
  std::unique_ptr<Watcher> watcher_;
  FakeWatcher* const fake_;
  FakeRecursiveWatcher* const recursive_;
  std::map<std::string, WatchId> ids_;
  int writes_ = 0;
};

TEST_P(WatcherContractTest, EachChangeOfAFileIsMarkedAndDrainedOnce) {
  const auto expect_marked = [&](const char* change, Mark least) {
    const Batch batch = drained();
    EXPECT_EQ(batch.desynced(), "");
    EXPECT_GE(mark_of(batch, "a/new"), least) << change;
    EXPECT_TRUE(drained().empty()) << change;
  };
  write("a/new");
  expect_marked("created", Mark::kBelow);
  write("a/new");
  expect_marked("written", Mark::kName);
  set_mode("a/new", 0755);
  expect_marked("a new mode", Mark::kName);
  remove("a/new");
  expect_marked("deleted", Mark::kName);
}

TEST_P(WatcherContractTest, ReadingIsNoChange) {
  EXPECT_EQ(testing::read_whole_file(at("a/f")).empty(), false);
  for (const auto& entry : stdfs::recursive_directory_iterator(at(""))) (void)entry;
  EXPECT_TRUE(drained().empty());
}

TEST_P(WatcherContractTest, ARenameMarksBothNames) {
  rename("a/f", "b/renamed");
  const Batch batch = drained();
  EXPECT_TRUE(is_marked(batch, "a/f"));
  EXPECT_EQ(mark_of(batch, "b/renamed"), Mark::kBelow);
}

TEST_P(WatcherContractTest, ADirectoryArrivesWithEverythingBelowIt) {
  make_directory("b/new");
  write("b/new/f");
  EXPECT_EQ(mark_of(drained(), "b/new/f"), Mark::kBelow);
  watch();
  write("b/new/f");
  EXPECT_TRUE(is_marked(drained(), "b/new/f")) << "watched";
}

TEST_P(WatcherContractTest, AMovedDirectoryReportsFromItsNewPlace) {
  rename("a", "b/moved");
  const Batch batch = drained();
  EXPECT_TRUE(is_marked(batch, "a"));
  EXPECT_EQ(mark_of(batch, "b/moved/deep/f"), Mark::kBelow);
  ids_.clear();
  watch();
  (void)drained();
  write("b/moved/deep/f");
  EXPECT_TRUE(is_marked(drained(), "b/moved/deep/f"));
}

TEST_P(WatcherContractTest, TheSameDirectoryHasTheSameId) {
  const std::map<std::string, WatchId> before = ids_;
  EXPECT_EQ(before.size(), 5u);
  ids_.clear();
  watch();
  EXPECT_EQ(ids_, before);
  const bool all_are_root = ids_.at("a") == kRootWatch;
  EXPECT_EQ(all_are_root, watcher_->is_recursive());
}

TEST_P(WatcherContractTest, OnlyABarrierCompletesALateWatcher) {
  write("a/f");
  if (watcher_->is_exact()) {
    EXPECT_TRUE(is_marked(watcher_->drain(), "a/f"));
    return;
  }
  const Watcher::Barrier barrier = watcher_->begin_sync();
  EXPECT_FALSE(*watcher_->has_synced(barrier));
  const int before = wakes_;
  Batch batch = watcher_->drain();
  for (int ticks = 0; !*watcher_->has_synced(barrier); ++ticks) {
    ASSERT_LT(ticks, 10);
    recursive_->tick();
  }
  EXPECT_GT(wakes_, before);
  batch.merge(watcher_->drain());
  EXPECT_TRUE(is_marked(batch, "a/f"));
}

// kernel_watchers_test.cc overflows the kernel's queues.
class FakeWatcherContractTest : public WatcherContractTest {};

TEST_P(FakeWatcherContractTest, LostEventsAreReportedAndLaterOnesAreNot) {
  write("a/f");
  if (fake_) {
    fake_->desync("lost");
  } else {
    recursive_->lose();
  }
  const Batch batch = drained();
  EXPECT_NE(batch.desynced(), "");
  EXPECT_FALSE(batch.watches_lost());
  write("b/f");
  const Batch later = drained();
  EXPECT_EQ(later.desynced(), "");
  EXPECT_TRUE(is_marked(later, "b/f"));
}

// After random changes, each path with another stat is marked.
TEST_P(WatcherContractTest, NoDifferenceIsWithoutAMark) {
  std::mt19937 random(1);
  const auto below = [&](size_t bound) { return random() % bound; };
  const std::vector<std::string> names = {"a", "b", "long-name.c", "long-directory"};
  int differences = 0;
  for (int round = 0; round < 150; ++round) {
    const std::map<std::string, Stat> before = snapshot();
    std::string history;
    for (size_t changes = 1 + below(4); changes > 0; --changes) {
      std::vector<std::string> paths, directories = {""};
      for (const auto& [path, stat] : snapshot()) {
        paths.push_back(path);
        if (S_ISDIR(std::get<1>(stat))) directories.push_back(path);
      }
      const std::string to = joined(directories[below(directories.size())], names[below(4)]);
      const std::string from = paths.empty() ? "" : paths[below(paths.size())];
      const bool is_free = !stdfs::exists(at(to));
      const size_t change = below(5);
      if (change == 0 && is_free) {
        make_directory(to);
      } else if (change == 1 && is_free && !from.empty() && !to.starts_with(from + "/")) {
        rename(from, to);
      } else if (change == 2 && !from.empty() && paths.size() > 8) {
        remove(from);
      } else if (change == 3 && !from.empty()) {
        set_mode(from, below(2) ? 0755 : 0700);
      } else if (is_free || !is_directory(at(to))) {
        write(to);
      }
      history += std::to_string(change) + " " + from + " " + to + "; ";
      if (below(3) == 0 && recursive_) recursive_->tick();
    }
    const std::map<std::string, Stat> after = snapshot();
    const Batch batch = drained();
    ASSERT_EQ(batch.desynced(), "");
    std::set<std::string> different;
    for (const auto& [path, stat] : before) {
      const auto now = after.find(path);
      if (now == after.end() || now->second != stat) different.insert(path);
    }
    for (const auto& [path, stat] : after) {
      if (!before.contains(path)) different.insert(path);
    }
    for (const std::string& path : different) {
      // A directory that is gone stands for everything that was below it.
      bool is_told = is_marked(batch, path);
      for (std::string up = parent_of(path); !is_told && !up.empty(); up = parent_of(up)) {
        is_told = different.contains(up) && is_marked(batch, up);
      }
      EXPECT_TRUE(is_told) << path << " in round " << round << ": " << history;
    }
    if (HasFailure()) return;
    differences += static_cast<int>(different.size());
    ids_.clear();
    watch();
    (void)drained();
  }
  EXPECT_GT(differences, 150);
}

constexpr auto name_of_backend = [](const auto& backend) {
  return std::string(backend.param.name);
};
INSTANTIATE_TEST_SUITE_P(Kernel, WatcherContractTest, ::testing::ValuesIn(kKernelBackends),
                         name_of_backend);
INSTANTIATE_TEST_SUITE_P(Fakes, WatcherContractTest, ::testing::ValuesIn(kFakeBackends),
                         name_of_backend);
INSTANTIATE_TEST_SUITE_P(Fakes, FakeWatcherContractTest, ::testing::ValuesIn(kFakeBackends),
                         name_of_backend);

}  // namespace
}  // namespace resident
