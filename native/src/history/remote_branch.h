// The remote branches that a branch is compared with: its upstream, and its push target, from
// branch.<name>.pushRemote or remote.pushDefault.
//
// Source: git's Documentation/config/{branch,remote,url}.txt, and the output of `git remote
// get-url`.
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
  std::string ref;     // full name in this repository, existing or not
  std::string branch;  // "main", without the remote's name; empty for a ref outside refs/remotes/
                       // and refs/heads/
  std::string remote;  // "origin", or "." for this repository
  std::string url;     // after git's URL rewrites; empty: the remote has none
  std::vector<std::string> looked;  // other refs that decided which ref it is
  friend bool operator==(const RemoteBranch&, const RemoteBranch&) = default;
};

// The upstream of refs/heads/<branch>. Returns nullopt if none is configured. Has the errors of
// upstream_of_branch().
Result<std::optional<RemoteBranch>> upstream_remote_branch(std::string_view branch,
                                                           const BranchSources& sources,
                                                           const Config& config);

// Describes `ref` as a branch of `remote`. Leaves `looked` empty.
RemoteBranch remote_branch(std::string ref, std::string remote, const Config& config);

// The ref that tracks the push remote's branch of the same name. Returns nullopt if no push remote
// is set or no refspec tracks that branch. Fails with kUnsupported for a refspec that git refuses.
Result<std::optional<RemoteBranch>> push_remote_branch(std::string_view branch,
                                                       const Config& config);

// The ref that tracks the target of `git push`, and the URL for the push. push.default is
// respected.
//
// The ref is git's @{push}. With "simple" and a push remote other than the upstream's, it is the
// ref that tracks the pushed branch. Returns nullopt if git pushes nothing or no refspec tracks the
// target. Fails with kUnsupported for push refspecs, and has the errors of upstream_of_branch().
Result<std::optional<RemoteBranch>> push_destination(std::string_view branch,
                                                     const BranchSources& sources,
                                                     const Config& config);

// The first URL of a remote after url.<base>.insteadOf. Empty if the remote has no URL.
std::string remote_url(std::string_view remote, const Config& config);
// The same for a push: remote.<name>.pushURL, url.<base>.pushInsteadOf.
std::string remote_push_url(std::string_view remote, const Config& config);

}  // namespace resident
