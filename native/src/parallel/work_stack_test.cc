#include "parallel/work_stack.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <set>

#include "os/thread_limit_test_support.h"

namespace resident {
namespace {

// A task of depth n pushes `kBranches` of depth n - 1.
constexpr int kBranches = 3;

int count_tasks(unsigned threads, int depth, const std::function<void()>& tick = nullptr) {
  std::atomic<int> count{0};
  run_work(
      threads, std::vector<int>{depth},
      [&](int level, auto&& push, unsigned worker) {
        EXPECT_LT(worker, threads);
        ++count;
        for (int i = 0; level > 0 && i < kBranches; ++i) push(level - 1);
      },
      tick);
  return count;
}

TEST(WorkStack, WorksOffEverythingOnAnyNumberOfThreads) {
  for (unsigned threads : {1u, 2u, 5u}) {
    EXPECT_EQ(count_tasks(threads, 6), 1093);
    EXPECT_EQ(count_tasks(threads, 6, [] {}), 1093);
  }
}

TEST(WorkStack, WhatAStepThrowsEndsTheWorkAndIsThrown) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    for (const bool ticks : {false, true}) {
      std::atomic<int> steps{0};
      const auto run = [&] {
        run_work(
            threads, std::vector<int>{0},
            [&](int, auto&& push, unsigned) {
              // The tasks never run out.
              push(0);
              push(0);
              if (++steps == 1000) throw std::bad_alloc();
            },
            ticks ? [] {} : std::function<void()>());
      };
      EXPECT_THROW(run(), std::bad_alloc);
      EXPECT_GE(steps, 1000);
    }
  }
}

TEST(WorkStack, WhatTheTickThrowsEndsTheWorkAndIsThrown) {
  const auto run = [] {
    run_work(
        2, std::vector<int>{0}, [](int, auto&& push, unsigned) { push(0); },
        [] { throw std::bad_alloc(); });
  };
  EXPECT_THROW(run(), std::bad_alloc);
}

TEST(WorkStack, NothingToDo) {
  run_work(2, std::vector<int>{}, [](int, auto&&, unsigned) { FAIL(); });
  run_work(
      2, std::vector<int>{}, [](int, auto&&, unsigned) { FAIL(); }, [] {});
}

TEST(WorkStack, TicksComeWhileTasksArePushedWithoutAPause) {
  // Each task pushes the next one, so the stack is never empty until a tick sets `stop`.
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> steps{0};
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  run_work(
      2, std::vector<int>{0},
      [&](int, auto&& push, unsigned) {
        ++steps;
        if (!stop && std::chrono::steady_clock::now() < limit) push(0);
      },
      [&] { stop = true; });
  EXPECT_TRUE(stop) << "no tick in " << steps << " steps";
}

TEST(WorkStack, ReservesComeOnceTheyAreNeeded) {
  constexpr int kTasks = 1000;
  for (const bool needed : {true, false}) {
    std::atomic<int> count{0};
    std::atomic<bool> reserve_came{false};
    run_work(2, std::vector<int>(kTasks),
             [&](int, auto&&, unsigned worker) {
               EXPECT_LT(worker, needed ? 5u : 2u);
               if (worker >= 2) reserve_came = true;
               // The reserves must run the second half of the tasks.
               if (++count > kTasks / 2) {
                 while (needed && !reserve_came) std::this_thread::yield();
               }
             },
             nullptr, {5, [needed] { return needed; }});
    EXPECT_EQ(count, kTasks);
    EXPECT_EQ(reserve_came, needed);
  }
}

TEST(WorkStack, ReservesThatAreNeededAtOnceComeWithTheFirstTask) {
  std::atomic<int> begun{0};
  // No task ends before three threads have one each.
  run_work(1, std::vector<int>(3),
           [&](int, auto&&, unsigned) {
             ++begun;
             while (begun < 3) std::this_thread::yield();
           },
           nullptr, {3, [] { return true; }});
  EXPECT_EQ(begun, 3);
}

// A task that only its pushing thread can use, until it is given away.
struct BoundTask {
  int depth;
  std::thread::id owner;
  bool is_anyones = false;
};

TEST(WorkStack, ATaskIsGivenAwayByWhoHasItBeforeAnotherTakesIt) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    std::atomic<int> count{0};
    std::atomic<unsigned> within{0};
    std::atomic<unsigned> begun{0};
    PrivateFdTable<BoundTask> fd_tables;
    fd_tables.around = [&](unsigned worker, const std::function<void()>& work) {
      EXPECT_GT(worker, 0u);
      ++begun;
      ++within;
      // Worker 3 cannot begin.
      if (worker != 3) work();
      --within;
    };
    fd_tables.give_away = [](BoundTask& task) {
      EXPECT_EQ(task.owner, std::this_thread::get_id());
      task.is_anyones = true;
    };
    run_work(
        threads, std::vector<BoundTask>{{9, {}, true}},
        [&](const BoundTask& task, auto&& push, unsigned worker) {
          EXPECT_NE(worker, 3u);
          EXPECT_TRUE(task.is_anyones || task.owner == std::this_thread::get_id());
          ++count;
          for (int i = 0; task.depth > 0 && i < kBranches; ++i) {
            push(BoundTask{task.depth - 1, std::this_thread::get_id()});
          }
        },
        nullptr, {}, fd_tables);
    EXPECT_EQ(count, 29524);
    EXPECT_EQ(begun, threads - 1);
    EXPECT_EQ(within, 0u);
  }
}

TEST(WorkStack, WithoutThreadsTheCallerDoesAllOfItAndTicks) {
  RESIDENT_NEEDS_ROOT();
  testing::in_child([] {
    testing::allow_no_more_threads();
    for (unsigned threads : {1u, 2u, 5u}) {
      EXPECT_EQ(count_tasks(threads, 6), 1093);
      EXPECT_EQ(count_tasks(threads, 6, [] {}), 1093);
    }
    bool stop = false;
    uint64_t steps = 0;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    run_work(
        2, std::vector<int>{0},
        [&](int, auto&& push, unsigned worker) {
          EXPECT_EQ(worker, 0u);
          ++steps;
          if (!stop && std::chrono::steady_clock::now() < limit) push(0);
        },
        [&] { stop = true; });
    EXPECT_TRUE(stop) << "no tick in " << steps << " steps";
  });
}

TEST(WorkStack, ReservesThatCannotBeHadAreDoneWithout) {
  RESIDENT_NEEDS_ROOT();
  testing::in_child([] {
    testing::allow_no_more_threads();
    for (const std::function<void()>& tick : {std::function<void()>(), std::function([] {})}) {
      int count = 0;
      run_work(1, std::vector<int>(100),
               [&](int, auto&&, unsigned worker) {
                 EXPECT_EQ(worker, 0u);
                 ++count;
               },
               tick, {5, [] { return true; }});
      EXPECT_EQ(count, 100);
    }
  });
}

}  // namespace
}  // namespace resident
