// What the gate spares, and that nothing which can change a file goes past it: on the real kernel,
// and never with a wait, because an event is queued before the call that caused it returns.
#include "repo_state/metadata_gate.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "repo_state/file_set.h"
#include "testing/counting_file_system.h"
#include "testing/fake_watcher.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"
#include "watch/linux/inotify/inotify_watcher.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using testing::write_whole_file;

class MetadataGateTest : public ::testing::Test {
 protected:
  MetadataGateTest() {
    watcher_ = make_inotify_watcher([] {});
    gate_.emplace(fs_, *watcher_, [this] { return std::exchange(mounted_, false); });
    // Files written a moment ago count as settled.
    fs_.run_ahead(10);
    stdfs::create_directories(path("a/b/c"));
    write_whole_file(path("a/b/c/file"), "1");
  }

  std::string path(std::string_view relative) const { return files_.path(relative); }

  // A set of these that was looked at and is spared from now on.
  FileSet spared(const std::vector<std::string>& paths, size_t uncovered = 0) {
    FileSet set = FileSet::record(fs_, paths);
    gate_->drain();
    EXPECT_FALSE(set.changed(fs_, &*gate_));
    expect_looks(set, uncovered);
    return set;
  }
  void expect_looks(FileSet& set, size_t looks) {
    gate_->drain();
    fs_.calls().reset();
    EXPECT_FALSE(set.changed(fs_, &*gate_));
    EXPECT_EQ(fs_.calls().total(), looks);
  }
  bool changed(FileSet& set) {
    gate_->drain();
    return set.changed(fs_, &*gate_);
  }

  // `change` changes what a look at `file` finds, and the question after it says so.
  template <typename Change>
  void expect_noticed(const char* what, const std::string& file, Change&& change) {
    SCOPED_TRACE(what);
    FileSet set = spared({file});
    change();
    FileSet by_stat = set;
    ASSERT_TRUE(by_stat.changed(fs_)) << "nothing to notice";
    EXPECT_TRUE(changed(set));
  }
  // `change` leaves the file as it is and not even makes anybody look.
  template <typename Change>
  void expect_spared(const char* what, const std::string& file, Change&& change) {
    SCOPED_TRACE(what);
    FileSet set = spared({file});
    change();
    expect_looks(set, 0);
  }

  testing::RepoBuilder files_;  // for its temporary directory
  testing::CountingFileSystem fs_;
  std::unique_ptr<Watcher> watcher_;
  bool mounted_ = false;
  std::optional<MetadataGate> gate_;
};

TEST_F(MetadataGateTest, NothingHappened) {
  FileSet set = spared({path("a/b/c/file"), path("a/b/c/none"), path("a/x/y/z"), path("a/b"),
                        path("a/b/"), path("a/none/"), "", "/etc/hostname/none"});
  for (int i = 0; i < 3; ++i) expect_looks(set, 0);
}

TEST_F(MetadataGateTest, TheFileItself) {
  const std::string file = path("a/b/c/file");
  expect_noticed("written in place", file, [&] { std::ofstream(file, std::ios::app) << "2"; });
  write_whole_file(path("a/b/c/file.lock"), "333");
  expect_noticed("renamed over", file, [&] { stdfs::rename(file + ".lock", file); });
  expect_noticed("permissions", file, [&] { stdfs::permissions(file, stdfs::perms::owner_all); });
  expect_noticed("removed", file, [&] { stdfs::remove(file); });
  expect_noticed("made", file, [&] { write_whole_file(file, "4"); });
  expect_noticed("moved away", file, [&] { stdfs::rename(file, path("a/b/other")); });
  expect_noticed("a directory", file, [&] { stdfs::create_directory(file); });
  expect_noticed("none any more", file, [&] { stdfs::remove(file); });
  expect_noticed("a link", file, [&] { stdfs::create_symlink(path("a/b/other"), file); });
}

TEST_F(MetadataGateTest, AFileThatIsHeldOpen) {
  const std::string file = path("a/b/c/file");
  std::ofstream held(file, std::ios::app);
  expect_noticed("written", file, [&] { held << "2" << std::flush; });
  expect_noticed("written again", file, [&] { held << "3" << std::flush; });
}

TEST_F(MetadataGateTest, ADirectoryWhoseEntriesCount) {
  expect_noticed("made in it", path("a/b/c/"), [&] { write_whole_file(path("a/b/c/n"), "1"); });
  expect_noticed("removed", path("a/b/c/"), [&] { stdfs::remove(path("a/b/c/n")); });
  expect_noticed("itself gone", path("a/b/c/"), [&] { stdfs::remove_all(path("a/b/c")); });
  expect_noticed("itself made", path("a/b/c/"), [&] { stdfs::create_directory(path("a/b/c")); });
}

TEST_F(MetadataGateTest, DirectoriesThatDoNotExistYet) {
  const std::string file = path("refs/heads/topic/one");
  FileSet set = spared({file});
  for (const char* directory : {"refs", "refs/heads", "refs/heads/topic"}) {
    stdfs::create_directory(path(directory));
    EXPECT_FALSE(changed(set));
    expect_looks(set, 0);
  }
  write_whole_file(file, "1");
  EXPECT_TRUE(changed(set));
  expect_noticed("all gone", file, [&] { stdfs::remove_all(path("refs")); });
  expect_noticed("made at once", file, [&] {
    stdfs::create_directories(path("refs/heads/topic"));
    write_whole_file(file, "2");
  });
  stdfs::create_directories(path("aside/heads/topic"));
  write_whole_file(path("aside/heads/topic/one"), "33");
  stdfs::remove_all(path("refs"));
  expect_noticed("moved in whole", file, [&] { stdfs::rename(path("aside"), path("refs")); });
}

// Before its name is watched, nothing tells that it came.
TEST_F(MetadataGateTest, ADirectoryThatComesWhileItIsLookedFor) {
  const std::string file = path("a/x/y/file");
  FileSet set = FileSet::record(fs_, {file});
  bool is_to_come = true;
  fs_.set_fault([&](auto, std::string_view looked_at) -> std::optional<Error> {
    if (looked_at != path("a/x") || !std::exchange(is_to_come, false)) return std::nullopt;
    stdfs::create_directories(path("a/x/y"));
    write_whole_file(file, "1");
    return Error{ErrorCode::kNotFound, "not yet"};
  });
  EXPECT_TRUE(changed(set));
  ASSERT_FALSE(is_to_come);
  set = spared({file});
  write_whole_file(file + ".lock", "2");
  stdfs::rename(file + ".lock", file);
  EXPECT_TRUE(changed(set));
}

// So often that it is looked at each time, instead.
TEST_F(MetadataGateTest, ADirectoryThatComesAndGoesWhileItIsLookedFor) {
  const std::string file = path("a/x/file");
  stdfs::create_directories(path("a/x"));
  fs_.set_fault(
      [&, there = true](auto, std::string_view looked_at) mutable -> std::optional<Error> {
        if (looked_at != path("a/x")) return std::nullopt;
        there = !there;
        return there ? std::nullopt : std::optional(Error{ErrorCode::kNotFound, "gone"});
      });
  FileSet set = spared({file}, 1);
  write_whole_file(file, "1");
  EXPECT_TRUE(changed(set));
}

TEST_F(MetadataGateTest, ADirectoryAboveIsAnother) {
  const std::string file = path("a/b/c/file");
  stdfs::create_directories(path("x/b/c"));
  write_whole_file(path("x/b/c/file"), "another");
  expect_noticed("moved away", file, [&] { stdfs::rename(path("a"), path("old")); });
  expect_noticed("replaced", file, [&] { stdfs::rename(path("x"), path("a")); });
  expect_noticed("moved away and replaced", file, [&] {
    stdfs::rename(path("a"), path("x"));
    stdfs::rename(path("old"), path("a"));
  });
  expect_noticed("a link in its place", file, [&] {
    stdfs::rename(path("a/b"), path("a/d"));
    stdfs::create_symlink(path("x/b"), path("a/b"));
  });
}

// rmdir tells the directory itself nothing as long as somebody has it open.
TEST_F(MetadataGateTest, ADirectoryThatIsHeldOpenIsMadeAnew) {
  const std::string file = path("a/b/c/none");
  stdfs::remove(path("a/b/c/file"));
  const auto held = fs_.open_directory(path("a/b/c"));
  const auto held_above = fs_.open_directory(path("a/b"));
  ASSERT_TRUE(held.ok() && held_above.ok());
  expect_noticed("made anew", file, [&] {
    stdfs::remove(path("a/b/c"));
    stdfs::create_directory(path("a/b/c"));
    write_whole_file(file, "1");
  });
  stdfs::remove(file);
  expect_noticed("from above", file, [&] {
    stdfs::remove_all(path("a/b"));
    stdfs::create_directories(path("a/b/c"));
    write_whole_file(file, "1");
  });
}

TEST_F(MetadataGateTest, LinksAreLookedAtEachTime) {
  stdfs::create_symlink(path("a/b/c/file"), path("link"));
  stdfs::create_directory_symlink(path("a/b"), path("way"));
  FileSet set =
      spared({path("link"), path("way/c/none"), path("a/b/c/../c/none"), path("a/b/c/none")}, 3);
  write_whole_file(path("a/b/elsewhere"), "1");
  stdfs::create_symlink(path("a/b/elsewhere"), path("new"));
  stdfs::rename(path("new"), path("link"));
  EXPECT_TRUE(changed(set));
  FileSet way = spared({path("way/c/none")}, 1);
  write_whole_file(path("a/b/c/none"), "1");
  EXPECT_TRUE(changed(way));
}

TEST_F(MetadataGateTest, AFileOfSeveralNames) {
  const std::string file = path("a/b/c/file");
  const std::string other = path("other");
  expect_noticed("linked", file, [&] { stdfs::create_hard_link(file, other); });
  expect_noticed("written", file, [&] { std::ofstream(other, std::ios::app) << "2"; });
  std::ofstream held(other, std::ios::app);
  expect_noticed("unlinked", file, [&] { stdfs::remove(other); });
  expect_noticed("by a name that is gone", file, [&] { held << "2" << std::flush; });
}

TEST_F(MetadataGateTest, WhatNobodyAsksAboutAnyMoreIsLetGo) {
  write_whole_file(path("a/other"), "1");
  stdfs::create_hard_link(path("a/b/c/file"), path("a/b/c/second"));
  FileSet kept = spared({path("a/b/c/file")});
  FileSet gone = spared({path("a/other"), path("a/b/c/second")});
  gate_->release(gone.paths());
  // Everything is looked at once more, and then spared again.
  gate_->drain();
  EXPECT_FALSE(kept.changed(fs_, &*gate_));
  expect_looks(kept, 0);
  const uint64_t before = gate_->generation();
  write_whole_file(path("a/other"), "2");
  gate_->drain();
  write_whole_file(path("a/b/c/second"), "2");
  EXPECT_TRUE(changed(kept)) << "its other name is still watched";
  EXPECT_GT(gate_->generation(), before);
}

TEST_F(MetadataGateTest, ALongRowOfNamesLeavesNothingBehind) {
  for (int i = 0; i < 3000; ++i) {
    const std::string file = path("a/table" + std::to_string(i));
    write_whole_file(file, "1");
    (void)gate_->cover({file});
    gate_->release({file});
    stdfs::remove(file);
  }
  FileSet kept = spared({path("a/b/c/file")});
  write_whole_file(path("a/b/c/file"), "2");
  EXPECT_TRUE(changed(kept));
}

TEST_F(MetadataGateTest, ADeviceIsLookedAtAndNotWatched) {
  FileSet set = spared({"/dev/null"}, 1);
  const uint64_t before = gate_->generation();
  write_whole_file("/dev/null", "1");
  gate_->drain();
  EXPECT_EQ(gate_->generation(), before);
}

// What was let go and what took its place, over and over: two names of one file among them.
TEST_F(MetadataGateTest, ReplacedManyTimes) {
  const std::string file = path("a/b/c/file");
  stdfs::create_hard_link(file, path("a/b/twin"));
  for (int i = 0; i < 20; ++i) {
    FileSet both = spared({file, path("a/b/twin")});
    write_whole_file(path("t"), std::to_string(i));
    stdfs::rename(path("t"), file);
    EXPECT_TRUE(changed(both));
    expect_noticed("twin", path("a/b/twin"),
                   [&] { std::ofstream(path("a/b/twin"), std::ios::app) << "2"; });
  }
}

TEST_F(MetadataGateTest, OthersInTheSameDirectoriesAreNotItsBusiness) {
  const std::string file = path("a/b/c/file");
  expect_spared("beside it", file, [&] { write_whole_file(path("a/b/c/other"), "1"); });
  expect_spared("while it grows", file, [&] {
    std::ofstream log(path("a/b/c/other"), std::ios::app);
    for (int i = 0; i < 50; ++i) log << "1" << std::flush;
    EXPECT_TRUE(watcher_->drain().empty()) << "nobody is woken up for that";
  });
  expect_spared("above", file, [&] {
    write_whole_file(path("a/b/other"), "1");
    stdfs::rename(path("a/b/other"), path("a/other"));
    stdfs::create_directory(path("a/b/d"));
    stdfs::remove_all(path("a/other"));
  });
}

TEST_F(MetadataGateTest, AnythingMountedEndsIt) {
  FileSet set = spared({path("a/b/c/file")});
  mounted_ = true;
  gate_->drain();
  fs_.calls().reset();
  EXPECT_FALSE(set.changed(fs_, &*gate_));
  EXPECT_GT(fs_.calls().total(), 0u);
  expect_looks(set, 0);
}

TEST_F(MetadataGateTest, WhatWasWrittenInThisTickIsLookedAtAgain) {
  fs_.run_ahead(0);
  fs_.freeze();
  write_whole_file(path("a/b/c/file"), "2");
  FileSet set = FileSet::record(fs_, {path("a/b/c/file")});
  EXPECT_TRUE(changed(set));
  EXPECT_TRUE(changed(set));
}

TEST_F(MetadataGateTest, AfterAResetItIsWatchedAgain) {
  FileSet set = spared({path("a/b/c/file")});
  gate_->reset();
  EXPECT_FALSE(changed(set));
  expect_looks(set, 0);
  write_whole_file(path("a/b/c/file"), "22");
  EXPECT_TRUE(changed(set));
}

// What the kernel can refuse or lose, on a watcher that is told to.
class FaultyMetadataGateTest : public MetadataGateTest {
 protected:
  FaultyMetadataGateTest() {
    gate_.emplace(fs_, fake_, [] { return false; });
  }
  testing::FakeWatcher fake_{fs_};
};

TEST_F(FaultyMetadataGateTest, ADesyncedQueueMeansALookAtEverything) {
  FileSet set = spared({path("a/b/c/file")});
  write_whole_file(path("a/b/c/file"), "22");
  EXPECT_FALSE(changed(set)) << "no event, no look";
  fake_.desync("the queue overflowed");
  EXPECT_TRUE(changed(set));
}

TEST_F(FaultyMetadataGateTest, WithoutWatchesEverythingIsLookedAt) {
  fake_.limit(3);
  FileSet set = spared({path("a/b/c/file")}, 1);
  write_whole_file(path("a/b/c/file"), "22");
  EXPECT_TRUE(changed(set));
}

TEST_F(FaultyMetadataGateTest, WhereOthersWriteTooEverythingIsLookedAt) {
  fake_.tell_everything(false);
  FileSet set = spared({path("a/b/c/file")}, 1);
  write_whole_file(path("a/b/c/file"), "22");
  EXPECT_TRUE(changed(set));
}

}  // namespace
}  // namespace resident
