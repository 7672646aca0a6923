// ClientGits: cache of the versions of the clients' gits. Each git is asked for its version only
// once. On Debian `git resident` finds a copy of the user's git on PATH.
//
// Bounded: beyond kLimit the oldest entry is dropped, and that git is asked again.
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

  // `identity`: see git_program.h.
  std::optional<GitVersion> version_of(const std::string& identity) const;
  void note(const std::string& identity, const GitVersion& version);

 private:
  std::deque<std::pair<std::string, GitVersion>> known_;  // oldest first
};

}  // namespace resident
