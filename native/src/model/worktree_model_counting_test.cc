// Many commits ahead and behind are counted in steps. All other work continues between the steps.
#include <gtest/gtest.h>

#include "model/model_test_support.h"

namespace resident {
namespace {

class ModelCountingTest : public ModelTest {
 protected:
  static constexpr int kMany = 9'000;  // takes three steps

  ModelCountingTest() {
    git_ = runner_;
    wake_ = [this] { woken_ = true; };
    old_file("plain", "1");
    commit_all();
    import("far", kMany);
    repo_.git({"config", "branch.main.remote", "."});
    repo_.git({"config", "branch.main.merge", "refs/heads/far"});
  }
  void import(const std::string& branch, int count) {
    std::string stream;
    for (int i = 0; i < count; ++i) {
      stream += "commit refs/heads/" + branch + "\ncommitter A <a@x> " +
                std::to_string(1'600'000'000 + i) + " +0000\ndata 0\n";
      if (i == 0) stream += "from refs/heads/main\n";
      stream += "\n";
    }
    repo_.git({"fast-import", "--quiet"}, stream);
  }
  // Opens the model, applies all answers of git, and begins the count.
  void start_counting() {
    open_gated();
    while (runner_->answer_all() > 0) update();
    take();
    ASSERT_TRUE(woken_);
  }
  int update_while_woken() { return update_while(woken_, *runner_); }
  bool is_pending(bool ahead_behind) {
    StatusQuery asked = query(UntrackedMode::kAll, IgnoredMode::kNo);
    asked.ahead_behind = ahead_behind;
    const auto status = model_->answer(asked);
    return !status.ok() && status.error().code == ErrorCode::kPending;
  }

  bool woken_ = false;
  const std::shared_ptr<testing::FakeGitRunner> runner_ =
      std::make_shared<testing::FakeGitRunner>();
};

TEST_F(ModelCountingTest, AQuestionWaitsForItAndNothingElseDoes) {
  start_counting();
  EXPECT_TRUE(is_pending(true));
  EXPECT_FALSE(is_pending(false)) << "who does not ask how many does not wait";
  repo_.write("new", "1");
  update();
  take();
  EXPECT_TRUE(told_.untracked.contains("new"));
  EXPECT_GE(update_while_woken(), 1);
  EXPECT_FALSE(is_pending(true));
  expect_as_git();
  // On a slow machine git was asked again meanwhile.
  (void)update_while_woken();
  update();
  EXPECT_FALSE(woken_) << "nothing is counted again while no ref moves";
}

TEST_F(ModelCountingTest, ARefThatMovesMeanwhileIsCountedInItsPlace) {
  start_counting();
  EXPECT_TRUE(is_pending(true));
  import("farther", kMany + 1);
  repo_.git({"update-ref", "refs/heads/far", "refs/heads/farther"});
  update();
  EXPECT_TRUE(is_pending(true));
  EXPECT_GE(update_while_woken(), 1);
  take();
  EXPECT_NE(told_.branch.find("-" + std::to_string(kMany + 1)), std::string::npos) << told_.branch;
  expect_as_git();
}

}  // namespace
}  // namespace resident
