// ClientGits: the versions of gits that askers have named, so that each is asked for its version
// once and not with every question. On Debian `git resident` finds a git of its own on PATH, which
// is a copy of the user's.
//
// Bounded: beyond kLimit the oldest is asked again.
//
// Threads: one owner.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "git/git_version.h"

namespace resident {

class ClientGits {
 public:
  static constexpr size_t kLimit = 16;

  // By the program's identity (git_program.h).
  std::optional<GitVersion> version_of(const std::string& identity) const;
  void note(const std::string& identity, const GitVersion& version);

 private:
  std::deque<std::pair<std::string, GitVersion>> known_;  // the oldest first
};

}  // namespace resident
