// The branches of remotes that a branch is compared with: its upstream, and where it is pushed by
// branch.<name>.pushRemote or remote.pushDefault.
//
// Source: git's Documentation/config/{branch,remote,url}.txt; what `git remote get-url` prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "history/branch_status.h"

namespace resident {

struct RemoteBranch {
  std::string ref;     // its full name here, existing or not
  std::string branch;  // "main", without the remote's name; empty outside of remotes and heads
  std::string remote;  // "origin", or "." for this repository
  std::string url;     // as git rewrites it; empty where the remote has none
  std::vector<std::string> looked;  // other refs that decided which one it is
  friend bool operator==(const RemoteBranch&, const RemoteBranch&) = default;
};

// Of refs/heads/<branch>; nullopt where none is configured. kUnsupported as upstream_of_branch().
Result<std::optional<RemoteBranch>> upstream_remote_branch(std::string_view branch,
                                                           const BranchSources& sources,
                                                           const Config& config);

// What `ref` is to a branch whose remote is `remote`; without `looked`.
RemoteBranch remote_branch(std::string ref, std::string remote, const Config& config);

// The ref under which the push remote's branch of the same name is kept; nullopt where no push
// remote is set, or no refspec keeps it. kUnsupported for a refspec that git would refuse.
Result<std::optional<RemoteBranch>> push_remote_branch(std::string_view branch,
                                                       const Config& config);

// The ref under which is kept what `git push` moves, by push.default too, and the URL that it is
// pushed to: git's @{push}, and, of a push remote that is not the upstream's, what "simple" pushes
// to. nullopt where it pushes nothing, or no refspec keeps it. kUnsupported where that takes
// refspecs for pushing, or as upstream_of_branch().
Result<std::optional<RemoteBranch>> push_destination(std::string_view branch,
                                                     const BranchSources& sources,
                                                     const Config& config);

// The first URL of a remote after url.<base>.insteadOf; empty where it has none.
std::string remote_url(std::string_view remote, const Config& config);
// The same for pushing: remote.<name>.pushURL, url.<base>.pushInsteadOf.
std::string remote_push_url(std::string_view remote, const Config& config);

}  // namespace resident
