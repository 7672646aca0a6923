// Polling of unwatched directories: when, how much, and that no change is missed.
#include <unistd.h>

#include <chrono>
#include <semaphore>

#include "model/model_test_support.h"
#include "watch/layered_watcher.h"
#include "watch/own_limits_test_support.h"

namespace resident {
namespace {

using Clock = WorktreeModel::Clock;
using Poll = WorktreeModel::Poll;

class ModelPollingTest : public ModelTest {
 protected:
  // Creates 7 directories and 7 files.
  void furnish() {
    repo_.write(".gitignore", "*.o\n");
    for (const char* path : {"a/1", "a/x/2", "a/x/deep/3", "b/1", "b/x/2", "b/x/deep/3"}) {
      old_file(path, path);
    }
    commit_all();
  }
  // Writes without an event, like another host.
  void silently(const std::string& path, const std::string& content) { repo_.write(path, content); }
  void start_on_shared_file_system() {
    fake_.tell_everything(false);
    start();
    ASSERT_EQ(model_->state().kind, ModelState::Kind::kPolling);
    settle();
  }
  void settle() {
    fs_.run_ahead(100);
    for (int i = 0; i < 3; ++i) update();
    take();
    fs_.calls().reset();
  }
  void update(Poll poll = Poll::kEverything) {
    const Result<void> updated = model_->update(poll);
    EXPECT_TRUE(updated.ok()) << updated.error().message;
  }
  void expect_racily_clean_files_to_be_compared_once() {
    repo_.write("d/racy", "1");
    commit_all();
    std::filesystem::last_write_time(at(".git/index"),
                                     std::filesystem::last_write_time(at("d/racy")));
    fake_.tell_everything(false);
    start();
    settle();
    const uint64_t before = model_->freshness().tree().work.contents_read;
    EXPECT_GT(before, 0u);
    for (int i = 0; i < 3; ++i) update();
    EXPECT_EQ(model_->freshness().tree().work.contents_read, before);
  }
  uint64_t looks() const {
    return model_->freshness().tree().work.lstats + model_->freshness().tree().work.directories;
  }
};

TEST_F(ModelPollingTest, ALookAtEverythingIsOneLookAtEachDirectoryAndEachTrackedFile) {
  furnish();
  start_on_shared_file_system();
  const auto before = model_->freshness().tree().work;
  update();
  EXPECT_EQ(model_->freshness().tree().work.directories - before.directories, 7u);
  EXPECT_EQ(model_->freshness().tree().work.lstats - before.lstats, 7u);
  EXPECT_EQ(model_->freshness().tree().work.contents_read, before.contents_read);
  EXPECT_EQ(fs_.calls().list, 0u) << "nothing came or went";
}

TEST_F(ModelPollingTest, WhatAnEventTellsCostsNoLookAtWhatNoneTells) {
  furnish();
  fake_.limit(1);
  start();
  settle();
  const auto before = model_->freshness().tree().work;
  write("new", "1");
  update(Poll::kNothing);
  EXPECT_EQ(model_->freshness().tree().work.lstats - before.lstats, 1u);
  EXPECT_EQ(model_->freshness().tree().work.directories, before.directories);
  expect_as_git();
}

TEST_F(ModelPollingTest, AQuestionCausesALookUnlessThereWasOneSinceItWasPut) {
  furnish();
  const auto early = Clock::now();
  start_on_shared_file_system();
  const uint64_t before = looks();
  {
    const WorktreeModel::Asking asking(*model_, model_->next_request(), early);
    (void)lines();
  }
  EXPECT_EQ(looks(), before) << "the scan began after it was put";
  silently("a/x/2", "22");
  const auto late = Clock::now();
  for (int i = 0; i < 3; ++i) {
    const WorktreeModel::Asking asking(*model_, model_->next_request(), late);
    EXPECT_EQ(lines().size(), 2u);
  }
  EXPECT_EQ(looks() - before, 14u) << "one look for three who asked before it began";
}

TEST_F(ModelPollingTest, WhatIsWatchedIsNotPolled) {
  furnish();
  fake_.limit(4);
  start();
  settle();
  ASSERT_EQ(model_->state().polled, 3u);
  const auto before = model_->freshness().tree().work;
  update();
  EXPECT_EQ(model_->freshness().tree().work.directories - before.directories, 3u);
  EXPECT_LE(model_->freshness().tree().work.lstats - before.lstats, 3u);
}

TEST_F(ModelPollingTest, WhatWasComparedIsNotComparedAgain) {
  expect_racily_clean_files_to_be_compared_once();
}

TEST_F(ModelPollingTest, AnAttributesFileDoesNotCauseComparisonsWhileItStaysAsItIs) {
  old_file(".gitattributes", "* -text\n");
  expect_racily_clean_files_to_be_compared_once();
}

TEST_F(ModelPollingTest, RulesThatAreRewrittenInPlaceAreSeen) {
  old_file("d/f", "1\r\n");
  old_file("d/tracked/.gitignore", "*.a\n");
  commit_all();
  for (const char* path : {"d/1.a", "d/1.b", "d/tracked/1.a", "d/tracked/1.b"}) {
    repo_.write(path, "1");
  }
  repo_.write("d/.gitignore", "*.a\n");
  repo_.write("d/.gitattributes", "f -text\n");
  start_on_shared_file_system();
  expect_as_git("at first");
  silently("d/.gitignore", "*.b\n");
  expect_as_git("untracked patterns");
  silently("d/.gitignore", "*.o\n");
  expect_as_git("and again");
  silently("d/tracked/.gitignore", "*.b\n");
  expect_as_git("tracked patterns");
  silently("d/tracked/.gitignore", "*.o\n");
  expect_as_git("and again");
  std::filesystem::remove(at("d/.gitignore"));
  expect_as_git("none any more");
  // A different text of the same size. Only the attributes decide whether its content differs.
  silently("d/f", "2\n\n");
  silently("d/.gitattributes", "f text \n");
  expect_as_git("attributes");
  silently("d/f", "1\r\n");
  expect_as_git("what they convert");
}

TEST_F(ModelPollingTest, NamesThatComeAndGoBesideASubmodule) {
  for (const char* path : {"a", "m/f", "z", "z2"}) old_file(path, path);
  repo_.git({"init", "-q", "sub"});
  repo_.write("sub/f", "1");
  repo_.git({"-C", "sub", "add", "-A"});
  repo_.git({"-C", "sub", "commit", "-q", "-m", "1"});
  commit_all();
  start_on_shared_file_system();
  std::filesystem::rename(at("z"), at("m/z"));
  expect_as_git("moved");
  std::filesystem::rename(at("m/z"), at("z"));
  silently("z2", "22");
  expect_as_git("and back");
}

TEST_F(ModelPollingTest, ADirectoryInWhichANameChangesIsNotReadWithAllThatIsBelow) {
  furnish();
  for (int i = 0; i < 50; ++i) repo_.write("a/x/deep/more/" + std::to_string(i), "1");
  start_on_shared_file_system();
  const auto before = model_->freshness().tree().work;
  silently("a/new", "1");
  update();
  const auto once = model_->freshness().tree().work;
  EXPECT_LE(fs_.calls().list, 1u);
  EXPECT_LE(once.lstats - before.lstats, 10u);
  expect_as_git();
}

TEST_F(ModelPollingTest, PlacesInWhichSomethingWasFoundLatelyAreLookedAtByThemselves) {
  furnish();
  start_on_shared_file_system();
  silently("a/x/deep/3", "33");
  silently("b/new", "1");
  update();
  take();
  settle();
  silently("a/x/deep/3", "4444");
  silently("b/new2", "1");
  silently("b/x/2", "22");
  const auto before = model_->freshness().tree().work;
  update(Poll::kRecent);
  EXPECT_LE(model_->freshness().tree().work.directories - before.directories, 3u);
  take();
  EXPECT_TRUE(told_.untracked.contains("b/new2"));
  EXPECT_FALSE(told_.tracked.contains("b/x/2")) << "it is in none of them";
  expect_as_git("with all others");
}

// Six of the seven directories have no watch.
class ModelHintsTest : public ModelPollingTest {
 protected:
  void start_with_hints(size_t most) {
    furnish();
    fake_.limit(1);
    fake_.offer_hints(most);
    start();
    settle();
  }
  // The directories with a hint.
  const auto& hinted() const { return model_->freshness().tree().watches.hinted(); }
};

TEST_F(ModelHintsTest, WhereAHintToldOfSomethingIsLookedAtByItself) {
  start_with_hints(100);
  EXPECT_EQ(fake_.hints(), 6u);
  EXPECT_TRUE(hinted().empty());
  for (const char* path : {"a/x/2", "b/x/2", "b/x/deep/new"}) silently(path, "22");
  for (const char* path : {"a/x", "b/x/deep"}) fake_.hint(at(path));
  update(Poll::kNothing);
  EXPECT_FALSE(hinted().empty());
  const auto before = model_->freshness().tree().work;
  update(Poll::kRecent);
  EXPECT_TRUE(hinted().empty());
  EXPECT_LE(model_->freshness().tree().work.directories - before.directories, 3u);
  take();
  EXPECT_TRUE(told_.tracked.contains("a/x/2"));
  EXPECT_TRUE(told_.untracked.contains("b/x/deep/new"));
  EXPECT_FALSE(told_.tracked.contains("b/x/2")) << "no hint told of it";
  expect_as_git("where no hint told, a question looks itself");
}

TEST_F(ModelHintsTest, AHintEndsWithWhatItIsFor) {
  start_with_hints(100);
  std::filesystem::remove_all(at("a/x/deep"));
  update();
  EXPECT_EQ(fake_.hints(), 5u) << "the directory is no more";
  fake_.limit(3);
  update();
  EXPECT_EQ(fake_.hints(), 3u) << "two have got a watch";
  fake_.lose_watches("unmounted");
  update();
  update();
  EXPECT_EQ(fake_.hints(), 3u) << "they are asked for anew";
  fake_.limit(100);
  update();
  EXPECT_EQ(fake_.hints(), 0u);
  expect_as_git();
}

TEST_F(ModelHintsTest, WhereHintsAreFewTheRestGetsOneWhenThereIsOne) {
  start_with_hints(2);
  EXPECT_EQ(fake_.hints(), 2u);
  fake_.offer_hints(100);
  update(Poll::kRecent);
  EXPECT_EQ(fake_.hints(), 6u);
  silently("b/x/deep/3", "33333");
  fake_.hint(at("b/x/deep"));
  update(Poll::kNothing);
  update(Poll::kRecent);
  take();
  EXPECT_TRUE(told_.tracked.contains("b/x/deep/3"));
}

TEST_F(ModelHintsTest, TheKernelHints) {
  RESIDENT_NEEDS_OWN_LIMITS();
  furnish();
  testing::with_own_limits([&] {
    testing::limit_to("inotify_watches", 0);
    testing::limit_to("fanotify_marks", 0);
    std::counting_semaphore<> wakes(0);
    start_on(make_layered_watcher([&] { wakes.release(); }));
    settle();
    silently("a/x/2", "22");
    bool is_woken = true;
    while (hinted().empty() && is_woken) {
      is_woken = wakes.try_acquire_for(std::chrono::seconds(60));
      update(Poll::kNothing);
    }
    ASSERT_TRUE(is_woken);
    update(Poll::kRecent);
    take();
    EXPECT_TRUE(told_.tracked.contains("a/x/2"));
  });
}

TEST_F(ModelHintsTest, OfWhatOthersWriteToThereIsNone) {
  fake_.tell_everything(false);
  start_with_hints(100);
  EXPECT_EQ(fake_.hints(), 0u);
}

TEST_F(ModelPollingTest, NamesThatComeAndGoCostOneStatOfEachDirectory) {
  furnish();
  start_on_shared_file_system();
  auto before = model_->freshness().tree().work;
  update(Poll::kNames);
  EXPECT_EQ(model_->freshness().tree().work.directories - before.directories, 7u);
  EXPECT_EQ(model_->freshness().tree().work.lstats, before.lstats);
  EXPECT_EQ(fs_.calls().list, 0u);
  silently("a/x/deep/new", "1");
  std::filesystem::remove(at("b/x/2"));
  silently("b/x/deep/other", "33");
  std::filesystem::rename(at("b/x/deep/other"), at("b/x/deep/3"));
  silently("a/1", "in place");
  std::filesystem::rename(at("b/x"), at("b/moved"));
  before = model_->freshness().tree().work;
  update(Poll::kNames);
  EXPECT_LE(model_->freshness().tree().work.lstats - before.lstats, 12u);
  take();
  EXPECT_TRUE(told_.untracked.contains("a/x/deep/new"));
  EXPECT_TRUE(told_.tracked.contains("b/x/2"));
  EXPECT_TRUE(told_.tracked.contains("b/x/deep/3"));
  EXPECT_TRUE(told_.untracked.contains("b/moved/deep/3"));
  EXPECT_FALSE(told_.tracked.contains("a/1")) << "no directory tells of it";
  expect_as_git("with all others");
}

TEST_F(ModelPollingTest, WatchesGoWhereSomethingHappens) {
  furnish();
  fake_.limit(5);
  start();
  settle();
  ASSERT_EQ(model_->state().polled, 2u);
  std::vector<std::string> unwatched;
  for (const char* path : {"a/x", "a/x/deep", "b/x", "b/x/deep"}) {
    if (!fake_.is_watched(at(path))) unwatched.emplace_back(path);
  }
  ASSERT_EQ(unwatched.size(), 2u);
  for (const std::string& path : unwatched) silently(path + "/new", "1");
  update();
  update();
  for (const std::string& path : unwatched) EXPECT_TRUE(fake_.is_watched(at(path))) << path;
  EXPECT_EQ(fake_.watches(), 5u);
  EXPECT_EQ(model_->state().polled, 2u);
  for (const char* path : {"", "a", "b"}) EXPECT_TRUE(fake_.is_watched(at(path))) << path;
  expect_as_git("moved");
  for (const char* path : {"a/x/2", "a/x/deep/3", "b/x/2", "b/x/deep/3"}) {
    silently(path, "edited");
    mark(path, false);
  }
  expect_as_git("edited");
}

// Events that were queued for a moved watch belong to no directory any more.
TEST_F(ModelPollingTest, WhatAWatchHadNotToldBeforeItWasMovedIsSeen) {
  furnish();
  fake_.limit(4);
  start();
  settle();
  std::vector<std::string> watched, unwatched;
  for (const char* path : {"a/x", "a/x/deep", "b/x", "b/x/deep"}) {
    (fake_.is_watched(at(path)) ? watched : unwatched).emplace_back(path);
  }
  ASSERT_FALSE(watched.empty());
  ASSERT_FALSE(unwatched.empty());
  silently(unwatched[0] + "/new", "1");
  update();
  std::string edited;
  fake_.on_add([&] {
    for (const std::string& path : watched) {
      if (!edited.empty() || fake_.is_watched(at(path))) continue;
      // The watch of this directory was just removed.
      edited = path + "/new";
      silently(edited, "1");
    }
  });
  update(Poll::kRecent);
  fake_.on_add({});
  take();
  EXPECT_FALSE(edited.empty());
  EXPECT_TRUE(told_.untracked.contains(edited));
  expect_as_git();
}

TEST_F(ModelPollingTest, ADirectoryInThePlaceOfAWatchedOneIsSeenWhereNoWatchTellsOfItsName) {
  furnish();
  fake_.limit(4);
  start();
  settle();
  for (const char* path : {"a/x/deep/new", "b/x/deep/new"}) silently(path, "1");
  update();
  update();
  std::string replaced;
  for (const std::string path : {"a/x", "a/x/deep", "b/x", "b/x/deep"}) {
    if (fake_.is_watched(at(path)) && !fake_.is_watched(at(parent(path)))) replaced = path;
  }
  ASSERT_FALSE(replaced.empty());
  std::filesystem::rename(at(replaced), at("../moved"));
  silently(replaced + "/other", "1");
  update(Poll::kNames);
  take();
  EXPECT_TRUE(told_.untracked.contains(replaced + "/other"));
  expect_as_git();
}

// Simulates a file system that caches missing names for a while.
TEST_F(ModelPollingTest, ANameThatIsListedBeforeItCanBeLookedAtIsSeenLater) {
  furnish();
  start_on_shared_file_system();
  fs_.set_fault([](testing::CountingFileSystem::Call call, std::string_view path) {
    const bool is_kept =
        call == testing::CountingFileSystem::Call::kStat && path.ends_with("a/x/new");
    return is_kept ? std::optional(Error{ErrorCode::kNotFound, "new"}) : std::nullopt;
  });
  silently("a/x/new", "1");
  for (int i = 0; i < 3; ++i) update();
  take();
  EXPECT_FALSE(told_.untracked.contains("a/x/new"));
  fs_.set_fault({});
  update(Poll::kNames);
  take();
  EXPECT_TRUE(told_.untracked.contains("a/x/new"));
  expect_as_git();
  update();
  fs_.calls().reset();
  update();
  EXPECT_EQ(fs_.calls().list, 0u) << "both say the same";
}

TEST_F(ModelPollingTest, WhereFilesAreOpenIsLookedAtByItself) {
  furnish();
  start_on_shared_file_system();
  std::vector<std::string> open = {"a/x/2"};
  model_->freshness().prioritize(open);
  silently("a/x/2", "22");
  silently("b/x/2", "22");
  update(Poll::kRecent);
  take();
  EXPECT_TRUE(told_.tracked.contains("a/x/2"));
  EXPECT_FALSE(told_.tracked.contains("b/x/2"));
}

TEST_F(ModelPollingTest, ALookThatIsCancelledIsDueStill) {
  furnish();
  start_on_shared_file_system();
  const auto last = model_->freshness().poll_log().everything().began;
  silently("a/x/2", "22");
  stops_ = true;
  update();
  EXPECT_EQ(model_->freshness().poll_log().everything().began, last);
  stops_ = false;
  update();
  EXPECT_GT(model_->freshness().poll_log().everything().began, last);
  take();
  EXPECT_TRUE(told_.tracked.contains("a/x/2"));
}

TEST_F(ModelPollingTest, ALookForNamesThatIsCancelledHalfwayIsDueStill) {
  furnish();
  start_on_shared_file_system();
  const auto last = model_->freshness().poll_log().names().began;
  silently("a/x/new", "1");
  ticks_left_ = 2;
  update(Poll::kNames);
  EXPECT_EQ(ticks_left_, 0) << "its owner was asked meanwhile";
  EXPECT_EQ(model_->freshness().poll_log().names().began, last);
  update(Poll::kNames);
  EXPECT_GT(model_->freshness().poll_log().names().began, last);
  take();
  EXPECT_TRUE(told_.untracked.contains("a/x/new"));
}

// All operations on a polled directory.
TEST_F(ModelPollingTest, DirectoriesMoveAndChange) {
  furnish();
  start_on_shared_file_system();
  std::filesystem::rename(at("a"), at("c"));
  expect_as_git("moved");
  silently("c/x/deep/3", "edited");
  expect_as_git("edited");
  std::filesystem::rename(at("c"), at("a"));
  expect_as_git("moved back");
  std::filesystem::remove_all(at("b/x"));
  silently("b/x", "a file");
  expect_as_git("a file in its place");
  std::filesystem::remove(at("b/x"));
  std::filesystem::create_symlink("../a/x", at("b/x"));
  expect_as_git("a link");
  std::filesystem::remove(at("b/x"));
  std::filesystem::create_directory_symlink("nowhere", at("b/y"));
  repo_.git({"checkout", "-q", "."});
  expect_as_git("checked out");
  std::filesystem::create_directories(at("a/nested"));
  repo_.git({"init", "-q", "a/nested"});
  expect_as_git("a repository");
  std::filesystem::remove_all(at("a/nested/.git"));
  silently("a/nested/f", "1");
  expect_as_git("and no more");
}

}  // namespace
}  // namespace resident
