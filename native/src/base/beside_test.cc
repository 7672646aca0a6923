#include "base/beside.h"

#include <gtest/gtest.h>

#include <new>
#include <thread>

namespace resident {
namespace {

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

}  // namespace
}  // namespace resident
