// For tests that watch. Without an inotify instance none of them can pass: each fails once, with
// the reason, before it begins.
#pragma once

#include <gtest/gtest.h>
#include <sys/inotify.h>

#include <cerrno>
#include <cstring>

#include "os/unique_fd.h"

namespace resident::testing {

class NeedsInotify final : public ::testing::Environment {
 public:
  void SetUp() override {
    const UniqueFd instance(::inotify_init1(IN_CLOEXEC));
    ASSERT_TRUE(instance.valid()) << "no inotify instance is to be had: " << std::strerror(errno)
                                  << "; this user's programs have fs.inotify.max_user_instances";
  }
};

inline const ::testing::Environment* const kNeedsInotify =
    ::testing::AddGlobalTestEnvironment(new NeedsInotify);

}  // namespace resident::testing
