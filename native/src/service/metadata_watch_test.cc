#include "service/metadata_watch.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/thread_annotations.h"
#include "fs/posix_file_system.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using testing::write_whole_file;

class MetadataWatchTest : public ::testing::Test {
 protected:
  MetadataWatchTest() {
    auto made = MetadataWatch::create(posix_file_system(), [this] {
      MutexLock lock(mutex_);
      ++calls_;
      called_.notify_all();
    });
    EXPECT_TRUE(made.ok());
    watch_ = std::move(made).value();
  }
  ~MetadataWatchTest() override { watch_.reset(); }

  std::string path(std::string_view relative) const { return files_.path(relative); }

  // Waits for a call after `change` was made.
  template <typename Change>
  void expect_call(const char* what, Change&& change) {
    int before = 0;
    {
      MutexLock lock(mutex_);
      before = calls_;
    }
    change();
    MutexLock lock(mutex_);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (calls_ == before) {
      if (called_.wait_until(lock, end) == std::cv_status::timeout) {
        ADD_FAILURE() << "no call: " << what;
        return;
      }
    }
  }
  int calls() {
    MutexLock lock(mutex_);
    return calls_;
  }

  testing::RepoBuilder files_;  // for its temporary directory
  Mutex mutex_;
  ConditionVariable called_;
  int calls_ GUARDED_BY(mutex_) = 0;
  std::unique_ptr<MetadataWatch> watch_;
};

TEST_F(MetadataWatchTest, TellsOfChangesComingAndGoing) {
  write_whole_file(path("d/HEAD"), "1");
  watch_->set_files({path("d/HEAD"), path("d/MERGE_HEAD")});
  expect_call("written", [&] { write_whole_file(path("d/HEAD"), "2"); });
  expect_call("created", [&] { write_whole_file(path("d/MERGE_HEAD"), "1"); });
  expect_call("removed", [&] { stdfs::remove(path("d/MERGE_HEAD")); });
  write_whole_file(path("d/HEAD.lock"), "3");
  expect_call("renamed over", [&] { stdfs::rename(path("d/HEAD.lock"), path("d/HEAD")); });
}

TEST_F(MetadataWatchTest, OthersInTheSameDirectoryAreNotItsBusiness) {
  write_whole_file(path("d/HEAD"), "1");
  watch_->set_files({path("d/HEAD")});
  const int before = calls();
  for (int i = 0; i < 50; ++i) write_whole_file(path("d/other" + std::to_string(i)), "1");
  // What comes last is told; had the others been told too, there would be more calls.
  expect_call("written", [&] { stdfs::rename(path("d/other1"), path("d/HEAD")); });
  EXPECT_LE(calls() - before, 2);
}

TEST_F(MetadataWatchTest, DirectoriesThatDoNotExistYet) {
  watch_->set_files({path("refs/heads/topic/one"), path("info/exclude")});
  expect_call("info", [&] { stdfs::create_directory(path("info")); });
  expect_call("in it", [&] { write_whole_file(path("info/exclude"), "1"); });
  expect_call("refs", [&] { stdfs::create_directory(path("refs")); });
  expect_call("heads", [&] { stdfs::create_directory(path("refs/heads")); });
  expect_call("topic", [&] { stdfs::create_directory(path("refs/heads/topic")); });
  expect_call("one", [&] { write_whole_file(path("refs/heads/topic/one"), "1"); });
  expect_call("all gone", [&] { stdfs::remove_all(path("refs")); });
  expect_call("refs again", [&] { stdfs::create_directory(path("refs")); });
}

TEST_F(MetadataWatchTest, ADirectoryMadeAtOnceWithTheFileInIt) {
  watch_->set_files({path("a/b/c/file")});
  stdfs::create_directories(path("t/b/c"));
  write_whole_file(path("t/b/c/file"), "1");
  expect_call("moved in", [&] { stdfs::rename(path("t"), path("a")); });
  expect_call("written", [&] { write_whole_file(path("a/b/c/file"), "2"); });
}

TEST_F(MetadataWatchTest, AnotherSetReplacesTheFirst) {
  write_whole_file(path("d/one"), "1");
  write_whole_file(path("e/two"), "1");
  watch_->set_files({path("d/one")});
  watch_->set_files({path("e/two")});
  const int before = calls();
  write_whole_file(path("d/one"), "2");
  expect_call("two", [&] { stdfs::rename(path("d/one"), path("e/two")); });
  EXPECT_LE(calls() - before, 2);
}

TEST_F(MetadataWatchTest, ManyChangesOfTheSetWhileEventsCome) {
  for (int i = 0; i < 100; ++i) {
    const std::string directory = "d" + std::to_string(i % 5);
    watch_->set_files({path(directory + "/f"), path("top")});
    write_whole_file(path(directory + "/f"), std::to_string(i));
    if (i % 7 == 0) stdfs::remove_all(path(directory));
  }
  expect_call("top", [&] { write_whole_file(path("top"), "1"); });
}

}  // namespace
}  // namespace resident
