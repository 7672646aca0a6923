// The upstream of a branch: the ref that git compares the branch with. It follows from
// branch.<name>.remote, branch.<name>.merge and the fetch refspecs of that remote.
//
// Source: git's Documentation/config/branch.txt and "refspec" in gitglossary. The behavior of git
// 2.39 decides cases that these do not describe.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"
#include "history/history.h"
#include "refs/ref_store.h"

namespace resident {

// Returns all values of a key, in the order in which git reads them. Section and variable are in
// lower case; the subsection keeps its case: "branch.Main.merge".
using ConfigLookup = std::function<std::vector<std::string>(std::string_view key)>;

struct Upstream {
  std::string ref;                  // full name, existing or not
  std::vector<std::string> looked;  // full names of refs that decided which ref it is
  bool git_warns = false;           // about one of `looked`
  friend bool operator==(const Upstream&, const Upstream&) = default;
};

// The upstream of refs/heads/<branch>. Returns nullopt if none is configured, or no refspec tracks
// the remote's branch.
//
// Fails with kUnsupported if only git can tell:
// - git refuses a refspec;
// - the remote is described by an old file in .git/remotes or .git/branches;
// - the name has "@{…}".
Result<std::optional<Upstream>> upstream_of_branch(std::string_view branch,
                                                   const ConfigLookup& config, RefStore& refs,
                                                   FileSystem& fs, const std::string& common_dir);

// The old-style files that can describe the branch's remote, existing or not.
std::vector<std::string> remote_files_of_branch(std::string_view branch, const ConfigLookup& config,
                                                const std::string& common_dir);

// Whether `git push` on refs/heads/<branch> updates the branch that `upstream` tracks.
// push.default, the branch's push remote and that remote's refspecs decide. Returns kUnknown if
// push refspecs are set.
BranchStatus::Push push_of_branch(std::string_view branch, const std::string& upstream,
                                  const ConfigLookup& config);

// The ref in which `refspecs` track the remote's ref `name`. The first match decides, unless a
// negative refspec excludes it. Fails with kUnsupported for a refspec that git refuses.
Result<std::optional<std::string>> find_tracking_ref(const std::vector<std::string>& refspecs,
                                                     const std::string& name);

}  // namespace resident
