#include "parallel/beside.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <thread>

#include "os/thread_limit_test_support.h"

namespace resident {
namespace {

using testing::allow_no_more_threads;
using testing::in_child;

TEST(Beside, RunsOnAThreadOfItsOwnUntilItIsJoined) {
  std::thread::id worker;
  Beside work([&] { worker = std::this_thread::get_id(); });
  work.join();
  EXPECT_NE(worker, std::thread::id());
  EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(Beside, IsWaitedForWhereNobodyJoinsIt) {
  bool is_done = false;
  {
    const Beside work([&] { is_done = true; });
  }
  EXPECT_TRUE(is_done);
}

TEST(Beside, WhatItThrowsIsThrownByTheJoin) {
  Beside work([] { throw std::bad_alloc(); });
  EXPECT_THROW(work.join(), std::bad_alloc);
}

TEST(Beside, WithoutAThreadItIsTheCallers) {
  RESIDENT_NEEDS_ROOT();
  in_child([] {
    allow_no_more_threads();
    std::thread::id worker;
    Beside work([&] { worker = std::this_thread::get_id(); });
    work.join();
    EXPECT_EQ(worker, std::this_thread::get_id());
    Beside throws([] { throw std::runtime_error("thrown"); });
    EXPECT_THROW(throws.join(), std::runtime_error);
  });
}

}  // namespace
}  // namespace resident
