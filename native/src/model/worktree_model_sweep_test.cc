// Changes that the real kernel does not report. The sweep finds them; for files with several hard
// links, every question does. git supplies the expected answers.
#include <sys/mman.h>
#include <unistd.h>

#include "model/model_test_support.h"
#include "os/unique_fd.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

// Maps a file for writing.
class Mapping {
 public:
  explicit Mapping(const std::string& path) : file_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
    struct stat st {};
    EXPECT_EQ(::fstat(file_.get(), &st), 0);
    size_ = static_cast<size_t>(st.st_size);
    void* bytes = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    EXPECT_NE(bytes, MAP_FAILED);
    bytes_ = static_cast<char*>(bytes);
  }
  ~Mapping() { unmap(); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  void store(std::string_view text) {
    EXPECT_EQ(text.size(), size_);
    std::copy(text.begin(), text.end(), bytes_);
  }
  void sync() { EXPECT_EQ(::msync(bytes_, size_, MS_SYNC), 0); }
  void close() { file_.reset(); }
  void unmap() {
    if (bytes_) ::munmap(bytes_, size_);
    bytes_ = nullptr;
  }

 private:
  UniqueFd file_;
  size_t size_ = 0;
  char* bytes_ = nullptr;
};

class ModelSweepTest : public ModelTest {
 protected:
  // Runs one whole round in slices of `limit` checks, and applies the changes. Returns the number
  // of slices.
  int sweep_round(uint64_t limit = 1000) {
    const uint64_t rounds = model_->freshness().sweep_progress().rounds;
    int slices = 0;
    while (model_->freshness().sweep_progress().rounds == rounds) {
      (void)model_->sweep(limit);
      ++slices;
      if (slices > 100'000) {
        ADD_FAILURE() << "a round does not end";
        break;
      }
    }
    update();
    return slices;
  }
  void expect_untold() {
    EXPECT_TRUE(real_->drain().empty()) << "the kernel tells of it after all";
  }
  void expect_found_by_sweep(const std::string& what) {
    SCOPED_TRACE(what);
    EXPECT_NE(lines(), git_lines(UntrackedMode::kAll, IgnoredMode::kNo))
        << "nothing was to be found: the test proves nothing";
    sweep_round();
    expect_as_git();
  }
  // Makes files that were just written count as settled, and reads everything around the worktree.
  void settle() {
    fs_.run_ahead(100);
    for (int i = 0; i < 3; ++i) update();
    take();
  }
  FileStat stat_of(const std::string& path) { return *fs_.lstat(at(path)); }
  std::string outside(std::string_view name) const { return repo_.path(name); }
  void append_outside(std::string_view name, std::string_view text) {
    const std::string path = outside(name);
    testing::write_whole_file(path, testing::read_whole_file(path) + std::string(text));
  }
  struct Work {
    uint64_t lstats;
    uint64_t directories;
  };
  template <typename Step>
  Work work(Step&& step) {
    const WorktreeTree::Work before = model_->freshness().tree().work;
    step();
    return {model_->freshness().tree().work.lstats - before.lstats,
            model_->freshness().tree().work.directories - before.directories};
  }
};

// --- Stores through a mapping ---

TEST_F(ModelSweepTest, AStoreThroughAMappingIsToldOnlyOnceItIsUnmappedAndClosed) {
  old_file("f", "before");
  commit_all();
  start_on_inotify();
  for (const bool synced : {false, true}) {
    SCOPED_TRACE(synced ? "with msync" : "without msync");
    const FileStat before = stat_of("f");
    Mapping mapping(at("f"));
    mapping.store(synced ? "second" : "first!");
    if (synced) mapping.sync();
    expect_untold();
    if (stat_of("f") == before) GTEST_SKIP() << "this file system stamps no store";
    if (!synced) expect_found_by_sweep("mapped");
    sweep_round();
    expect_as_git("after a round");
    mapping.close();
    expect_untold();
    mapping.unmap();
    EXPECT_FALSE(real_->drain().empty()) << "the end of the mapping is told";
  }
  repo_.write("f", "before");
  expect_as_git("and back");
}

TEST_F(ModelSweepTest, AStoreThatLeavesTheStatDataAsTheyAreIsFoundWhereGitReadsTheFile) {
  old_file("f", "before");
  commit_all();
  start_on_inotify();
  Mapping mapping(at("f"));
  mapping.store("other!");
  mapping.store("before");
  sweep_round();
  settle();
  sweep_round();
  expect_as_git("compared by its content");
  const FileStat before = stat_of("f");
  mapping.store("other!");
  // The page may or may not be written back already. git sees the difference in both cases.
  if (stat_of("f") == before) expect_untold();
  sweep_round();
  expect_as_git("stored again");
}

TEST_F(ModelSweepTest, WhatIsMappedAroundTheWorktreeIsReadAgainAtTheEndOfARound) {
  // A device is never covered by the gate, so use a regular file.
  environment_.set("GIT_CONFIG_GLOBAL", repo_.path("user-config"));
  repo_.set_environment("GIT_CONFIG_GLOBAL", repo_.path("user-config"));
  old_file("tracked", "0");
  commit_all();
  repo_.write("a", "0");
  repo_.write("b", "0");
  repo_.write(".git/info/exclude", "a\n");
  start_gated();
  settle();
  expect_as_git("before");
  settle();
  const FileStat before = stat_of(".git/info/exclude");
  Mapping mapping(at(".git/info/exclude"));
  mapping.store("b\n");
  if (stat_of(".git/info/exclude") == before) GTEST_SKIP() << "this file system stamps no store";
  expect_found_by_sweep("info/exclude");
}

// --- Files with several hard links ---

TEST_F(ModelSweepTest, AWriteUnderAnotherNameOutsideIsSeenByTheNextQuestion) {
  old_file("f", "0");
  old_file("d/.gitignore", "*.o\n");
  old_file("d/x.o", "0");
  repo_.git({"add", "-f", "f", "d/.gitignore"});
  repo_.git({"commit", "-q", "-m", "1"});
  stdfs::create_hard_link(at("f"), outside("f2"));
  stdfs::create_hard_link(at("d/.gitignore"), outside("rules"));
  start_on_inotify();
  expect_as_git("before");
  append_outside("f2", "more");
  expect_untold();
  expect_as_git("written outside");
  update();
  EXPECT_EQ(told_.tracked.count("f"), 1u) << "and told without a question";
  append_outside("rules", "!x.o\n");
  expect_untold();
  expect_as_git("ignore rules written outside");
}

TEST_F(ModelSweepTest, ALinkMadeOutsideIsNotToldAndFoundByTheSweep) {
  old_file("f", "0");
  old_file("g", "0");
  commit_all();
  start_on_inotify();
  stdfs::create_hard_link(at("f"), outside("f2"));
  expect_untold();
  append_outside("f2", "more");
  expect_untold();
  expect_found_by_sweep("linked and written");
  append_outside("f2", "and more");
  expect_as_git("known to have several links from now on");
  stdfs::remove(outside("f2"));
  expect_untold();
  settle();
  update();
  EXPECT_EQ(work([&] { (void)lines(); }).lstats, 0u) << "it has one link again";
}

TEST_F(ModelSweepTest, ALinkInANewDirectoryIsKnownAsOneWhenThatIsTakenAway) {
  old_file("d/f", "0");
  old_file("d/g", "0");
  repo_.write(".gitignore", "*.o\n");
  commit_all();
  start_on_inotify();
  stdfs::create_directories(at("new/deep"));
  stdfs::create_hard_link(at("d/f"), at("new/deep/f"));
  stdfs::create_hard_link(at("d/g"), at("new/ignored.o"));
  expect_as_git("two names each");
  stdfs::rename(at("new"), outside("new"));
  append_outside("new/deep/f", "more");
  append_outside("new/ignored.o", "more");
  expect_as_git("written outside");
}

TEST_F(ModelSweepTest, ALinkThatIsMadeDuringTheFirstScanIsKnownAsOne) {
  old_file("m/f", "0");
  commit_all();
  // One of these directories is read after the file was checked.
  for (const char* directory : {"a", "z"}) repo_.write(directory + std::string("/untracked"), "");
  bool looked = false;
  std::string linked;
  fs_.set_fault([&](testing::CountingFileSystem::Call call, std::string_view path) {
    looked = looked || (call == testing::CountingFileSystem::Call::kStat && path == "f");
    if (looked && linked.empty() && (path == "a" || path == "z")) {
      linked = path;
      stdfs::create_hard_link(at("m/f"), at(linked + "/f"));
    }
    return std::nullopt;
  });
  fs_.run_ahead(0);
  start_on_inotify();
  fs_.set_fault(nullptr);
  ASSERT_FALSE(linked.empty());
  stdfs::rename(at(linked), outside("away"));
  append_outside("away/f", "more");
  expect_as_git("written outside");
}

TEST_F(ModelSweepTest, ARestoredTimeDoesNotHideAWriteUnderAnotherName) {
  old_file("f", "before");
  commit_all();
  stdfs::create_hard_link(at("f"), outside("f2"));
  start_on_inotify();
  expect_as_git("before");
  // git compares only the seconds of ctime.
  const int64_t second = stat_of("f").ctime.seconds;
  do {
    testing::write_whole_file(outside("f2"), "after!");
    const timespec times[2] = {{1'500'000'000, 0}, {1'500'000'000, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, outside("f2").c_str(), times, 0), 0);
  } while (stat_of("f").ctime.seconds == second);
  expect_untold();
  EXPECT_EQ(stat_of("f").mtime.seconds, 1'500'000'000);
  expect_as_git("the ctime tells");
  EXPECT_EQ(told_.tracked.count("f"), 1u);
}

TEST_F(ModelSweepTest, AQuestionLooksOnceAtEachFileWithSeveralLinksAndAtNoOther) {
  for (int i = 0; i < 20; ++i) old_file("d/f" + std::to_string(i), "0");
  commit_all();
  start_on_inotify();
  settle();
  EXPECT_EQ(work([&] { (void)lines(); }).lstats, 0u);
  model_.reset();
  for (int i = 0; i < 3; ++i) {
    stdfs::create_hard_link(at("d/f" + std::to_string(i)), outside("l" + std::to_string(i)));
  }
  fs_.run_ahead(0);
  start_on_inotify();
  settle();
  for (int question = 0; question < 2; ++question) {
    const Work asked = work([&] { (void)lines(); });
    EXPECT_EQ(asked.lstats, 3u);
    EXPECT_EQ(asked.directories, 0u);
  }
}

TEST_F(ModelSweepTest, WhereNearlyAllHaveSeveralLinksAQuestionStaysBounded) {
  constexpr int kLinked = 2 * static_cast<int>(kMaxLinkedFiles) + 100;
  auto file = [](int i) { return "d" + std::to_string(i % 7) + "/f" + std::to_string(i); };
  for (int i = 0; i < kLinked; ++i) old_file(file(i), "0");
  commit_all();
  stdfs::create_directory(outside("copy"));
  for (int i = 0; i < kLinked; ++i) {
    stdfs::create_hard_link(at(file(i)), outside("copy/" + std::to_string(i)));
  }
  // git stores the new ctime in its index.
  repo_.set_environment("GIT_OPTIONAL_LOCKS", "1");
  repo_.git({"status"});
  repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
  start_on_inotify();
  settle();
  EXPECT_EQ(model_->state().linked_beyond, kLinked - kMaxLinkedFiles);
  const Work asked = work([&] { (void)lines(); });
  EXPECT_LE(asked.lstats + asked.directories, 2 * kMaxLinkedFiles + 2);
  // Questions advance through the files too, even if nobody runs the sweep.
  for (int i = 0; i < kLinked; i += 50) append_outside("copy/" + std::to_string(i), "more");
  for (int question = 0; question < 4; ++question) (void)lines();
  expect_as_git("after some questions");
  EXPECT_EQ(model_->state().linked_beyond, kLinked - kMaxLinkedFiles);
  stdfs::remove_all(outside("copy"));
  sweep_round();
  update();
  sweep_round();
  EXPECT_EQ(model_->state().linked_beyond, 0u);
  expect_as_git("each has one name again");
}

// --- The sweep itself ---

TEST_F(ModelSweepTest, ARoundLooksOnceAtEverythingInSlices) {
  for (int i = 0; i < 300; ++i) {
    old_file("d" + std::to_string(i % 10) + "/f" + std::to_string(i), "0");
  }
  for (int i = 0; i < 200; ++i) old_file("large/f" + std::to_string(i), "0");
  commit_all();
  start();
  settle();
  EXPECT_EQ(model_->freshness().sweep_progress().expected, 512u);
  const uint64_t lists = fs_.calls().list;
  const Work whole = work([&] { EXPECT_EQ(sweep_round(1000), 1); });
  EXPECT_EQ(whole.lstats, 500u);
  EXPECT_EQ(whole.directories, 12u);
  EXPECT_EQ(fs_.calls().list, lists) << "no directory has another time";
  uint64_t most = 0;
  const Work in_slices = work([&] {
    const uint64_t rounds = model_->freshness().sweep_progress().rounds;
    while (model_->freshness().sweep_progress().rounds == rounds) {
      const Work slice = work([&] { (void)model_->sweep(50); });
      most = std::max(most, slice.lstats + slice.directories);
    }
  });
  EXPECT_LE(most, 51u);
  EXPECT_EQ(in_slices.lstats, 500u);
  EXPECT_GE(in_slices.directories, 12u);
  EXPECT_LE(in_slices.directories, 12u + 500 / 50 + 1) << "a directory is opened for each slice";
  update();
  EXPECT_TRUE(take().empty()) << "nothing was found, nothing is told";
}

TEST_F(ModelSweepTest, ASliceEndsForWhoAsks) {
  for (int i = 0; i < 300; ++i) old_file("d/f" + std::to_string(i), "0");
  commit_all();
  start();
  settle();
  int asked = 0;
  const Work slice = work([&] { (void)model_->sweep(1000, [&] { return ++asked >= 10; }); });
  EXPECT_LT(slice.lstats, 12u);
  EXPECT_GT(slice.lstats, 0u);
  // The round ends even if every slice is interrupted.
  const uint64_t rounds = model_->freshness().sweep_progress().rounds;
  for (int i = 0; i < 1000 && model_->freshness().sweep_progress().rounds == rounds; ++i) {
    (void)model_->sweep(1000, [] { return true; });
  }
  EXPECT_EQ(model_->freshness().sweep_progress().rounds, rounds + 1);
}

TEST_F(ModelSweepTest, WhatCameAndWentUntoldIsFound) {
  for (const char* path : {"a/b/c/f", "a/b/g", "gone/f", "kind", "x/f"}) old_file(path, "0");
  commit_all();
  repo_.write("u/v/w", "0");
  start();
  struct {
    const char* what;
    std::function<void()> change;
  } const cases[] = {
      {"a new file", [&] { repo_.write("a/b/new", "1"); }},
      {"a new directory", [&] { repo_.write("n/m/f", "1"); }},
      {"a file of an untracked directory", [&] { repo_.write("u/v/w2", "1"); }},
      {"a directory that is gone", [&] { stdfs::remove_all(at("gone")); }},
      {"a file that is gone", [&] { stdfs::remove(at("a/b/g")); }},
      {"a directory in a file's place",
       [&] {
         stdfs::remove(at("kind"));
         repo_.write("kind/f", "1");
       }},
      {"a mode", [&] { ::chmod(at("a/b/c/f").c_str(), 0755); }},
      {"a directory that was swapped",
       [&] {
         stdfs::rename(at("x"), at("y"));
         repo_.write("x/other", "1");
       }},
      {"ignore rules", [&] { repo_.write(".gitignore", "new\n"); }},
      {"a repository of its own",
       [&] {
         repo_.git({"init", "-q", "u/v"});
       }},
      {"attributes",
       [&] {
         repo_.write("kind/f", "1\r\n");
         repo_.git({"add", "kind/f"});
         repo_.write("kind/f", "1\n");
         sweep_round();
         expect_as_git("before the attributes");
         repo_.write(".gitattributes", "* text eol=crlf\n");
       }},
  };
  for (const auto& [what, change] : cases) {
    change();
    expect_found_by_sweep(what);
  }
}

TEST_F(ModelSweepTest, AChangeInASubmoduleIsFound) {
  old_file("f", "0");
  commit_all();
  testing::RepoBuilder other;
  other.init();
  other.write("g", "0");
  other.git({"add", "-A"});
  other.git({"commit", "-q", "-m", "1"});
  repo_.git({"-c", "protocol.file.allow=always", "submodule", "add", "-q", other.work(), "sub"});
  repo_.git({"commit", "-q", "-m", "sub"});
  start();
  expect_as_git("before");
  repo_.write("sub/g", "changed");
  expect_found_by_sweep("a file in a submodule");
}

TEST_F(ModelSweepTest, AWatchThatIsGoneIsTakenUpAgain) {
  old_file("d/f", "0");
  commit_all();
  start();
  auto directory = fs_.open_directory(at("d"));
  ASSERT_TRUE(directory.ok());
  fake_.remove(fake_.add(*directory)->id);
  ASSERT_FALSE(fake_.is_watched(at("d")));
  write("d/new", "1");
  expect_found_by_sweep("what happened meanwhile");
  EXPECT_TRUE(fake_.is_watched(at("d")));
  write("d/f", "told");
  expect_as_git("told again");
}

TEST_F(ModelSweepTest, WatchesThatWereMissingAreTakenUp) {
  for (int i = 0; i < 6; ++i) old_file("d" + std::to_string(i) + "/f", "0");
  commit_all();
  fake_.limit(3);
  start();
  EXPECT_EQ(model_->state().kind, ModelState::Kind::kPolling);
  sweep_round();
  EXPECT_EQ(model_->state().kind, ModelState::Kind::kPolling);
  fake_.limit(100);
  repo_.write("d5/new", "1");
  sweep_round();
  EXPECT_EQ(model_->state().kind, ModelState::Kind::kWatching);
  expect_as_git("and what came before is known");
  write("d5/f", "told");
  expect_as_git("told");
}

TEST_F(ModelSweepTest, WhileGitAnswersARoundIsOneQuestionToGit) {
  old_file("f", "0");
  commit_all();
  start();
  git_may_answer_ = true;
  // A path too long for the index's flags: only git reads such an index.
  const std::string blob = repo_.git_line({"hash-object", "-w", "--stdin"}, "x");
  repo_.git({"update-index", "--add", "--index-info"},
            "100644 " + blob + "\t" + std::string(4096, 'n') + "\n");
  expect_as_git("by git");
  ASSERT_EQ(model_->state().kind, ModelState::Kind::kDelegated);
  const uint64_t rounds = model_->freshness().sweep_progress().rounds;
  stdfs::create_directory(at("d"));
  repo_.write("d/new", "1");
  EXPECT_TRUE(model_->sweep(1));
  EXPECT_EQ(model_->freshness().sweep_progress().rounds, rounds + 1);
  update();
  take();
  EXPECT_EQ(told_.untracked.count("d/new"), 1u);
}

}  // namespace
}  // namespace resident
