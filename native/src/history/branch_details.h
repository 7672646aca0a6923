// What is told of HEAD beside its status, to whoever asks for it: the nearest tag, the stash, where
// its branch comes from and goes to, and how far git is with what it is in the middle of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "odb/ahead_behind.h"

namespace resident {

struct BranchDetails {
  // kUnknown: only git can tell, or an object is missing that is not fetched for this.
  enum class Known : uint8_t { kPending, kKnown, kUnknown };

  struct Tag {
    std::string name;
    int distance = 0;  // commits that the tag does not reach; 0: it is HEAD's
    friend bool operator==(const Tag&, const Tag&) = default;
  };
  // As `git describe --tags` finds it; unset: none leads to HEAD.
  Known tag_known = Known::kPending;
  std::optional<Tag> tag;

  std::optional<int> stashes;  // unset where they cannot be counted
  std::string action;          // action_name()

  struct Remote {
    std::string name;    // "origin", or "." for this repository
    std::string branch;  // RemoteBranch::branch
    std::string url;     // RemoteBranch::url
    friend bool operator==(const Remote&, const Remote&) = default;
  };
  // Of the upstream, whose ref may be gone; unset where there is none, or only git can tell.
  std::optional<Remote> upstream;
  // Where `git push` goes; the same.
  std::optional<Remote> push;
  bool push_is_upstream = false;  // it moves what the upstream is
  // HEAD beside it; unset with push_known == kKnown: its ref is gone.
  Known push_known = Known::kPending;
  std::optional<AheadBehind> push_counts;

  friend bool operator==(const BranchDetails&, const BranchDetails&) = default;
};

// Of "<tag>-<distance>-g<id>", as `git describe --long` prints it; nullopt for an id alone.
std::optional<BranchDetails::Tag> described_tag(std::string_view line);

}  // namespace resident
