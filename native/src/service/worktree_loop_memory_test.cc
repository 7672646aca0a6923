// Memory runs out at any allocation of a worktree's turns.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "fs/linux/posix_file_system.h"
#include "service/worktree_loop_test_support.h"
#include "testing/allocations.h"

namespace resident {
namespace {

class WorktreeLoopMemoryTest : public ::testing::TestWithParam<unsigned> {
 protected:
  using Answers = std::vector<Result<StatusResult>>;
  using Tasks = std::vector<WorktreeLoop::PostedTask>;

  WorktreeLoopMemoryTest() : environment_(repo_.root()) {
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    repo_.init();
    repo_.write(".gitignore", "*.log\n");
    repo_.write(".gitattributes", "*.txt text\n");
    repo_.write("a.txt", "1\r\n");
    repo_.write("moved", "one\ntwo\nthree\n");
    for (const std::string directory : {"d", "d/e", "f", "g/h"}) {
      for (const char* name : {"1", "2"}) repo_.write(directory + "/" + name, name);
    }
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "1"});
    repo_.git({"mv", "moved", "renamed"});
    repo_.write("a.txt", "1\r\n2\r\n");
    repo_.write("d/e/1", "other");
    repo_.write("new/1", "");
    repo_.write("new/1.log", "");
    options_.configuration.sweep = 0ms;
    options_.threads = GetParam();
  }

  std::unique_ptr<WorktreeLoop> make_loop(Resident::Listener& listener) {
    tree_ = nullptr;
    return make_stepped_loop(repo_.work(), options_, listener, tree_);
  }

  // A question like those of Resident.
  static Tasks question(WorktreeLoop& loop, Answers& answers) {
    Tasks tasks;
    tasks.push_back({[&](WorktreeModel* model, WorktreeLoop::Attempt) {
                       answers.push_back(model ? model->answer({}) : loop.given_up());
                       return true;
                     },
                     WorktreeLoop::Clock::now()});
    return tasks;
  }

  // Runs `work` on a fresh loop after `prepare`. Fails each allocation in turn, or each n-th, until
  // `work` succeeds. Returns how often the worktree was given up.
  template <typename Prepare, typename Work>
  int fail_each(const Prepare& prepare, const Work& work) {
    constexpr int kFirst = 50;
    constexpr int kStride = 13;
    int given_up = 0;
    for (int nth = 0; !HasFailure(); nth += nth < kFirst ? 1 : kStride) {
      testing::Recorder recorder;
      Answers answers;
      const std::unique_ptr<WorktreeLoop> loop = make_loop(recorder);
      Tasks tasks = prepare(*loop, answers);
      testing::allocations_left = nth;
      work(*loop, std::move(tasks));
      const bool has_failed = testing::allocations_left.exchange(testing::kNever) < 0;
      const bool is_given_up = !recorder.seen().gone.empty();
      if (is_given_up) ++given_up;
      expect_answers(*loop, answers, is_given_up);
      // Some calls survive a failed allocation: shrink_to_fit().
      EXPECT_TRUE(has_failed || !is_given_up);
      EXPECT_EQ(recorder.seen().gone, is_given_up ? message() : "");
      EXPECT_EQ(recorder.seen().gone_calls, is_given_up ? 1 : 0);
      if (HasFailure()) ADD_FAILURE() << "with allocation " << nth;
      if (!has_failed) break;
    }
    return given_up;
  }

  // Earlier and later questions are answered.
  void expect_answers(WorktreeLoop& loop, Answers& answers, bool is_given_up) {
    const size_t before = answers.size();
    EXPECT_LE(before, 1u);
    loop.turn(question(loop, answers), true);
    ASSERT_EQ(answers.size(), before + 1);
    EXPECT_EQ(answers.back().ok() ? "" : answers.back().error().message,
              is_given_up ? message() : "");
    // An answer from before memory ran out is right.
    for (const auto& answer : answers) {
      EXPECT_EQ(answer.ok() ? message() : answer.error().message, message());
    }
    EXPECT_TRUE(!is_given_up || loop.due() == WorktreeLoop::kNever);
    loop.end({});
  }

  std::string message() const { return repo_.work() + ": not enough memory for this worktree"; }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
  Resident::Options options_;
  testing::FakeWatcher* tree_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Threads, WorktreeLoopMemoryTest, ::testing::Values(1u, 2u));

TEST_P(WorktreeLoopMemoryTest, IsGivenUpInItsFirstScan) {
  const int given_up = fail_each([](WorktreeLoop&, Answers&) { return Tasks{}; },
                                 [](WorktreeLoop& loop, Tasks) {
                                   loop.scan();
                                   loop.tell_first();
                                 });
  EXPECT_GT(given_up, 100);
}

TEST_P(WorktreeLoopMemoryTest, IsGivenUpInATurnWithAQuestionWhichIsAnswered) {
  const auto prepare = [this](WorktreeLoop& loop, Answers& answers) {
    loop.scan();
    loop.tell_first();
    tree_->lose_watches("lost");
    return question(loop, answers);
  };
  const int given_up = fail_each(
      prepare, [](WorktreeLoop& loop, Tasks tasks) { loop.turn(std::move(tasks), true); });
  EXPECT_GT(given_up, 100);
}

TEST_P(WorktreeLoopMemoryTest, IsGivenUpWhereAQuestionIsAnsweredAtTheEnd) {
  const auto prepare = [](WorktreeLoop& loop, Answers& answers) {
    loop.scan();
    loop.tell_first();
    return question(loop, answers);
  };
  const int given_up =
      fail_each(prepare, [](WorktreeLoop& loop, Tasks tasks) { loop.end(std::move(tasks)); });
  EXPECT_GT(given_up, 10);
}

}  // namespace
}  // namespace resident
