// Details of HEAD that clients can request beside its status. They are the nearest tag, the stash
// count, the upstream, the push target, and the operation in progress with its step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "odb/ahead_behind.h"

namespace resident {

struct BranchDetails {
  // kUnknown: only git can tell, or a needed object is missing and this code does not fetch it.
  enum class Known : uint8_t { kPending, kKnown, kUnknown };

  struct Tag {
    std::string name;
    int distance = 0;  // commits that the tag does not reach; 0: the tag is on HEAD
    friend bool operator==(const Tag&, const Tag&) = default;
  };
  // The same tag as from `git describe --tags`; unset: no tag reaches HEAD.
  Known tag_known = Known::kPending;
  std::optional<Tag> tag;

  std::optional<int> stashes;  // unset if they cannot be counted
  std::string action;          // action_name()

  struct Remote {
    std::string name;    // "origin", or "." for this repository
    std::string branch;  // RemoteBranch::branch
    std::string url;     // RemoteBranch::url
    friend bool operator==(const Remote&, const Remote&) = default;
  };
  // The upstream, whose ref may be gone. Unset if none is configured or only git can tell.
  std::optional<Remote> upstream;
  // The target of `git push`. Unset for the same reasons.
  std::optional<Remote> push;
  bool push_is_upstream = false;  // the push target is the upstream
  // HEAD compared with the push target. Unset with push_known == kKnown: its ref is gone.
  Known push_known = Known::kPending;
  std::optional<AheadBehind> push_counts;

  friend bool operator==(const BranchDetails&, const BranchDetails&) = default;
};

// Parses "<tag>-<distance>-g<id>", the output of `git describe --long`. Returns nullopt for a bare
// id.
std::optional<BranchDetails::Tag> described_tag(std::string_view line);

}  // namespace resident
