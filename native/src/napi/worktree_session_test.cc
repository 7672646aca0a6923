#include "napi/worktree_session.h"

#include <gtest/gtest.h>

#include <future>
#include <set>

#include "napi/testing/fake_resident.h"

namespace resident {
namespace {

using namespace std::chrono_literals;

// Opens a session on the fake. It blocks for answers, unlike a JavaScript thread.
class WorktreeSessionTest : public testing::Test {
 protected:
  ~WorktreeSessionTest() override {
    session_.finish();
    EXPECT_EQ(live_fake_residents(), 0);
  }

  void open(const std::string& path = "/r") {
    std::promise<bool> opened;
    session_.open(path, {}, [&](Result<Resident::Identity> identity) {
      opened.set_value(identity.ok() && identity->root == path);
    });
    ASSERT_TRUE(opened.get_future().get());
  }

  template <typename T>
  static std::pair<std::future<Result<T>>, WorktreeSession::Done<T>> expect() {
    auto answer = std::make_shared<std::promise<Result<T>>>();
    return {answer->get_future(),
            [answer](Result<T> result) { answer->set_value(std::move(result)); }};
  }

  using Content = std::optional<std::string>;
  Result<Content> run(const std::string& script) {
    auto [answer, done] = expect<Content>();
    session_.ask<Content>(
        [script](Resident& r, WorktreeSession::Done<Content> told) {
          r.content(script, Resident::Source::kHead, told);
        },
        done);
    return answer.get();
  }

  std::atomic<int> wakes_ = 0;
  std::promise<std::string> gone_;
  WorktreeSession session_{{
      .deltas_wait = [this] { ++wakes_; },
      .gone = [this](const std::string& message) { gone_.set_value(message); },
  }};
};

TEST_F(WorktreeSessionTest, DeltasArriveInTheMailbox) {
  open();
  ASSERT_TRUE(run("? a\nsend\n? b\nsend").ok());
  std::set<std::string> untracked;
  while (untracked.size() < 2) {
    while (std::optional<DeltaChunk> chunk = session_.mailbox().take()) {
      untracked.insert(chunk->delta.untracked.begin(), chunk->delta.untracked.end());
    }
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_GE(wakes_, 1);
}

TEST_F(WorktreeSessionTest, OpenFailsWithTheReason) {
  auto [answer, done] = expect<Resident::Identity>();
  session_.open("fail:/r: no such directory", {}, done);
  const Result<Resident::Identity> identity = answer.get();
  ASSERT_FALSE(identity.ok());
  EXPECT_EQ(identity.error().message, "/r: no such directory");
}

TEST_F(WorktreeSessionTest, CloseCancelsRescansAndAnswersEveryQuestion) {
  open();
  ASSERT_TRUE(run("wait /nowhere/at/all").ok());
  auto [first, first_done] = expect<Resident::RescanResult>();
  auto [second, second_done] = expect<Resident::RescanResult>();
  std::promise<void> started;
  std::atomic<bool> told = false;
  session_.rescan(
      [&](const Resident::RescanProgress&) {
        if (!told.exchange(true)) started.set_value();
      },
      std::make_shared<std::atomic<bool>>(false), first_done);
  session_.rescan([](const Resident::RescanProgress&) {},
                  std::make_shared<std::atomic<bool>>(false), second_done);
  started.get_future().get();
  std::promise<void> closed;
  session_.close([&] { closed.set_value(); });
  EXPECT_EQ(first.get().error().code, ErrorCode::kCancelled);
  EXPECT_EQ(second.get().error().code, ErrorCode::kCancelled);
  closed.get_future().get();
  EXPECT_EQ(live_fake_residents(), 0);
}

TEST_F(WorktreeSessionTest, CloseEndsAQuestionThatTakesLong) {
  open();
  ASSERT_TRUE(run("wait /nowhere/at/all").ok());
  std::promise<void> started;
  auto [answer, done] = expect<std::vector<bool>>();
  session_.ask<std::vector<bool>>(
      [&](Resident& r, WorktreeSession::Done<std::vector<bool>> told) {
        r.ignored({"a"}, told);
        started.set_value();
      },
      done);
  started.get_future().get();
  session_.finish();
  EXPECT_EQ(answer.get().error().code, ErrorCode::kCancelled);
}

TEST_F(WorktreeSessionTest, QuestionsAfterCloseAreRefused) {
  open();
  session_.close([] {});
  EXPECT_EQ(run("? a").error().code, ErrorCode::kCancelled);
}

TEST_F(WorktreeSessionTest, AnswersWhileARescanRuns) {
  open();
  ASSERT_TRUE(run("wait /nowhere/at/all").ok());
  auto cancelled = std::make_shared<std::atomic<bool>>(false);
  auto [rescan, done] = expect<Resident::RescanResult>();
  session_.rescan([](const Resident::RescanProgress&) {}, cancelled, done);
  EXPECT_TRUE(run("? a").ok());
  *cancelled = true;
  EXPECT_FALSE(rescan.get().ok());
}

TEST_F(WorktreeSessionTest, TellsThatTheWorktreeIsGone) {
  open();
  ASSERT_TRUE(run("gone /r: the worktree was removed").ok());
  EXPECT_EQ(gone_.get_future().get(), "/r: the worktree was removed");
}

TEST_F(WorktreeSessionTest, FinishesInEveryState) {
  WorktreeSession never_opened({.deltas_wait = [] {}, .gone = [](const std::string&) {}});
  WorktreeSession opening({.deltas_wait = [] {}, .gone = [](const std::string&) {}});
  opening.open("/s", {}, [](Result<Resident::Identity>) {});
  opening.metadata_changed();
  opening.replay();
  opening.finish();
  opening.finish();
}

}  // namespace
}  // namespace resident
