// A model on one recursive watch: which work a path costs, and what waits for a barrier.
#include "model/model_test_support.h"

namespace resident {
namespace {

class ModelRecursiveTest : public ModelTest {
 protected:
  ModelRecursiveTest() {
    repo_.write(".gitignore", "/build/\n");
    for (const char* path : {"top", "source/main.c", "source/deep/other.c"}) old_file(path, path);
    repo_.write("build/out", "1");
    commit_all();
    fs_.run_ahead(100);
    start_on_recursive({});
    for (int i = 0; i < 3; ++i) update();
    take();
  }

  // Work of an update after this event, in calls of the file system.
  struct Work {
    uint64_t stats = 0;
    uint64_t lists = 0;
    friend bool operator==(const Work&, const Work&) = default;
    friend void PrintTo(const Work& work, std::ostream* out) {
      *out << work.stats << " stats, " << work.lists << " lists";
    }
  };
  Work work_of(const std::string& path, bool below = false) {
    fs_.calls().reset();
    recursive_->report(path, {below});
    EXPECT_TRUE(model_->update().ok());
    return {fs_.calls().stat_at, fs_.calls().list};
  }
};

TEST_F(ModelRecursiveTest, AKnownPathCostsOneStat) {
  EXPECT_EQ(work_of("source/main.c"), (Work{1, 0}));
  EXPECT_EQ(work_of("source/deep/other.c"), (Work{1, 0}));
  EXPECT_EQ(work_of("source/deep"), (Work{1, 0}));
}

TEST_F(ModelRecursiveTest, PathsBelowWhatGitIgnoresCostNothing) {
  for (const char* path :
       {"build/out", "build/none/none", ".git", ".git/index", ".git/refs/heads"}) {
    EXPECT_EQ(work_of(path), (Work{0, 0})) << path;
  }
}

TEST_F(ModelRecursiveTest, UnknownNamesCostOneListingOfTheirDirectory) {
  recursive_->report("source/gone1", {});
  EXPECT_EQ(work_of("source/gone2"), (Work{2, 1}));
  repo_.write("source/new", "1");
  expect_as_git();
}

TEST_F(ModelRecursiveTest, AnotherCaseLeadsToTheKnownNames) {
  EXPECT_EQ(work_of("SOURCE/DEEP/OTHER.C"), (Work{1, 3}));
  EXPECT_EQ(work_of("Top"), (Work{1, 1}));
}

TEST_F(ModelRecursiveTest, AShortNameMeansEveryNameInTheDirectory) {
  EXPECT_EQ(work_of("source/deep/OTHER~1.C"), (Work{1, 2}));
  EXPECT_EQ(work_of("source/MAIN~1.C"), (Work{2, 2}));
}

TEST_F(ModelRecursiveTest, ADirectoryWithAShortNameIsReadWithItsNeighbours) {
  EXPECT_EQ(work_of("source/DEEP~1/other.c").lists, 3u) << "source twice, source/deep once";
  EXPECT_EQ(work_of("SOURCE~1/main.c").lists, 1u) << "everything is verified in place";
  EXPECT_EQ(model_->state().kind, ModelState::Kind::kWatching);
}

TEST_F(ModelRecursiveTest, EverythingBelowIsReadAgain) {
  EXPECT_EQ(work_of("source", true).lists, 2u);
  EXPECT_EQ(work_of("", true).lists, 0u) << "verified in place";
}

TEST_F(ModelRecursiveTest, AQuestionIsPendingUntilTheBarrierHasPassed) {
  repo_.write("top", "other");
  const WorktreeModel::Asking asking(*model_, model_->next_request(), steady_now()());
  const auto changes = model_->changes_since("", WorktreeModel::ChangesFor::kPeople);
  EXPECT_TRUE(changes.everything);
  EXPECT_EQ(model_->check_known().error().code, ErrorCode::kPending);
  auto status = model_->answer({});
  int ticks = 0;
  for (; !status.ok() && ticks < 10; ++ticks) {
    EXPECT_EQ(status.error().code, ErrorCode::kPending);
    recursive_->tick();
    status = model_->answer({});
  }
  EXPECT_GT(ticks, 0);
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(status->changed.size(), 1u);
  EXPECT_TRUE(model_->check_known().ok());
}

// Questions that keep coming delay none of the earlier ones.
TEST_F(ModelRecursiveTest, LaterQuestionsDoNotDelayAnEarlierOne) {
  const auto first = steady_now()();
  const auto ask = [&](WorktreeModel::Clock::time_point at) {
    const WorktreeModel::Asking asking(*model_, model_->next_request(), at);
    return model_->answer({}).ok();
  };
  int ticks = 0;
  for (; !ask(first) && ticks < 10; ++ticks) {
    (void)ask(steady_now()());
    recursive_->tick();
  }
  EXPECT_LE(ticks, 4);
}

TEST_F(ModelRecursiveTest, AScanAnswersWithoutABarrier) {
  repo_.write("top", "other");
  const WorktreeModel::Asking asking(*model_, model_->next_request(), steady_now()());
  model_->freshness().events().mark_desynced("events were lost");
  const auto status = model_->answer({});
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(status->changed.size(), 1u);
}

TEST_F(ModelRecursiveTest, OneWatchCoversEachDirectory) {
  EXPECT_EQ(model_->state().directories, 3u);
  repo_.write("source/more/f", "1");
  update();
  EXPECT_EQ(model_->state().directories, 4u);
  std::filesystem::remove_all(at("source"));
  update();
  EXPECT_EQ(model_->state().directories, 1u);
  EXPECT_EQ(model_->state().kind, ModelState::Kind::kWatching);
}

}  // namespace
}  // namespace resident
