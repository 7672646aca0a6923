#include "parallel/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>

#include "os/thread_limit_test_support.h"

namespace resident {
namespace {

using Clock = Executor::Clock;
constexpr auto kNever = Clock::time_point::max();

// An owner whose turn is a function.
struct Work final : Executor::Owner {
  Work(Executor& the_executor, std::function<Clock::time_point()> the_turn)
      : executor(the_executor), on_turn(std::move(the_turn)) {
    executor.add(*this);
  }
  ~Work() override { executor.remove(*this); }
  Clock::time_point turn() override { return on_turn(); }
  void request() { executor.request(*this); }

  Executor& executor;
  const std::function<Clock::time_point()> on_turn;
};

TEST(Executor, ATurnFollowsARequest) {
  Executor executor(2);
  std::promise<void> taken;
  Work work(executor, [&] {
    taken.set_value();
    return kNever;
  });
  EXPECT_EQ(executor.workers(), 0u) << "nobody works for nothing";
  work.request();
  taken.get_future().get();
}

TEST(Executor, TurnsOfOneOwnerNeverOverlapAndNoRequestIsLost) {
  Executor executor(4);
  std::atomic<int> inside{0};
  std::atomic<int> wanted{0};
  int done = 0;  // touched only in turns
  std::promise<void> all;
  constexpr int kRequests = 20'000;
  Work work(executor, [&] {
    EXPECT_EQ(inside.fetch_add(1), 0);
    const int before = done;
    done = wanted.load();
    inside.fetch_sub(1);
    if (done == 4 * kRequests && before < done) all.set_value();
    return kNever;
  });
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] {
      for (int j = 0; j < kRequests; ++j) {
        wanted.fetch_add(1);
        work.request();
      }
    });
  }
  for (std::thread& client : clients) client.join();
  all.get_future().get();
}

TEST(Executor, AThousandOwnersNeedNoMoreWorkersThanCores) {
  Executor executor(2);
  std::atomic<int> turns{0};
  std::promise<void> all;
  std::vector<std::unique_ptr<Work>> owners;
  for (int i = 0; i < 1000; ++i) {
    owners.push_back(std::make_unique<Work>(executor, [&] {
      if (++turns == 3000) all.set_value();
      return kNever;
    }));
  }
  for (int round = 1; round <= 3; ++round) {
    for (const auto& owner : owners) owner->request();
    // Requests of one owner merge while it waits for its turn.
    while (turns < 1000 * round) std::this_thread::yield();
  }
  all.get_future().get();
  EXPECT_LE(executor.workers(), 2u);
}

TEST(Executor, ATurnThatIsDueComesWithoutARequest) {
  Executor executor(1);
  std::promise<Clock::time_point> second;
  Clock::time_point due;
  int turns = 0;
  Work work(executor, [&] {
    if (++turns == 1) return due = Clock::now() + std::chrono::milliseconds(20);
    if (turns == 2) second.set_value(Clock::now());
    return kNever;
  });
  work.request();
  EXPECT_GE(second.get_future().get(), due);
}

TEST(Executor, WhatIsDueDoesNotWaitForWhoIsBusy) {
  Executor executor(2);
  for (int round = 0; round < 30; ++round) {
    std::promise<void> first;
    std::promise<void> second;
    std::promise<void> done;
    int turns = 0;
    Work due(executor, [&] {
      if (++turns == 2) second.set_value();
      if (turns > 1) return kNever;
      first.set_value();
      return Clock::now() + std::chrono::milliseconds(2);
    });
    // One of the two workers runs this turn; the other one must run the due turn.
    Work busy(executor, [&] {
      second.get_future().get();
      done.set_value();
      return kNever;
    });
    due.request();
    first.get_future().get();
    busy.request();
    done.get_future().get();
  }
}

TEST(Executor, ARequestDoesNotWaitForWhatIsDue) {
  Executor executor(1);
  std::promise<void> first;
  std::promise<void> second;
  int turns = 0;
  Work work(executor, [&] {
    if (++turns == 1) first.set_value();
    if (turns == 2) second.set_value();
    return Clock::now() + std::chrono::hours(1);
  });
  work.request();
  first.get_future().get();
  work.request();
  second.get_future().get();
}

TEST(Executor, WhileSomeWaitForProgramsOthersTakeTheirTurns) {
  Executor executor(1);
  std::promise<void> let_go;
  std::shared_future<void> gone(let_go.get_future());
  std::atomic<int> hanging{0};
  std::vector<std::unique_ptr<Work>> hung;
  for (int i = 0; i < 10; ++i) {
    hung.push_back(std::make_unique<Work>(executor, [&, gone] {
      const Executor::Waiting waiting(Executor::WaitsFor::kProgram);
      ++hanging;
      gone.wait();
      return kNever;
    }));
    hung.back()->request();
  }
  while (hanging < 10) std::this_thread::yield();
  std::promise<void> taken;
  Work other(executor, [&] {
    taken.set_value();
    return kNever;
  });
  other.request();
  taken.get_future().get();
  EXPECT_GT(executor.workers(), 10u);
  let_go.set_value();
  // Surplus workers end.
  while (executor.workers() > 1) std::this_thread::yield();
}

TEST(Executor, OfTurnsWithThreadsOfTheirOwnFewRunAtOnce) {
  Executor executor(1);
  std::atomic<int> inside{0};
  std::atomic<int> at_once{0};
  std::atomic<int> ended{0};
  std::vector<std::unique_ptr<Work>> scans;
  for (int i = 0; i < 20; ++i) {
    scans.push_back(std::make_unique<Work>(executor, [&] {
      const Executor::Waiting waiting(Executor::WaitsFor::kThreads);
      const int now = ++inside;
      for (int most = at_once; most < now && !at_once.compare_exchange_weak(most, now);) {
      }
      for (int spin = 0; spin < 1000; ++spin) std::this_thread::yield();
      --inside;
      ++ended;
      return kNever;
    }));
    scans.back()->request();
  }
  while (ended < 20) std::this_thread::yield();
  EXPECT_LE(at_once, 3);
}

TEST(Executor, RemovingWaitsForTheTurnAndEndsAllOthers) {
  Executor executor(2);
  for (int i = 0; i < 200; ++i) {
    std::atomic<bool> alive{true};
    std::promise<void> begun;
    std::atomic<bool> told{false};
    {
      Work work(executor, [&] {
        if (!told.exchange(true)) begun.set_value();
        EXPECT_TRUE(alive);
        return Clock::now();
      });
      work.request();
      begun.get_future().get();
      work.request();
    }
    alive = false;
  }
}

TEST(Executor, SaysThatItCanHaveNoWorker) {
  RESIDENT_NEEDS_ROOT();
  testing::in_child([] {
    testing::allow_no_more_threads();
    Executor executor(2);
    const Result<void> worker = executor.ensure_worker();
    ASSERT_FALSE(worker.ok());
    EXPECT_EQ(worker.error().message, "cannot start a thread: Resource temporarily unavailable");
    EXPECT_EQ(executor.workers(), 0u);
  });
}

TEST(Executor, OneWorkerTakesEveryTurnUntilThereCanBeMore) {
  RESIDENT_NEEDS_ROOT();
  testing::in_child([] {
    Executor executor(4);
    ASSERT_TRUE(executor.ensure_worker().ok());
    EXPECT_EQ(executor.workers(), 1u) << "one is enough until there is work";
    testing::allow_no_more_threads();
    std::atomic<int> turns{0};
    std::vector<std::unique_ptr<Work>> owners;
    for (int i = 0; i < 20; ++i) {
      owners.push_back(std::make_unique<Work>(executor, [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ++turns;
        return kNever;
      }));
    }
    for (const auto& owner : owners) owner->request();
    while (turns < 20) std::this_thread::yield();
    EXPECT_EQ(executor.workers(), 1u);

    testing::allow_more_threads();
    while (executor.workers() < 2) {
      for (const auto& owner : owners) owner->request();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
}

TEST(Executor, ElsewhereWaitingIsNothing) {
  const Executor::Waiting waiting(Executor::WaitsFor::kProgram);
}

}  // namespace
}  // namespace resident
