// Which ref a branch is meant to be compared with: its upstream, from branch.<name>.remote,
// branch.<name>.merge and the fetch refspecs of that remote.
//
// Source: git's Documentation/config/branch.txt and gitglossary's "refspec"; what git 2.39 does
// where they are silent.
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

// All values of a key, in the order in which git reads them. Section and variable are in lower
// case, the subsection as written: "branch.Main.merge".
using ConfigLookup = std::function<std::vector<std::string>(std::string_view key)>;

struct Upstream {
  std::string ref;                  // its full name, existing or not
  std::vector<std::string> looked;  // full names of refs that decided which one it is
  bool git_warns = false;           // of one of these
  friend bool operator==(const Upstream&, const Upstream&) = default;
};

// The upstream of refs/heads/<branch>; nullopt where none is configured or the remote's branch is
// not kept by any refspec. kUnsupported where only git can tell: a refspec that it would refuse, a
// remote in one of the old files .git/remotes and .git/branches, "@{…}" as a name.
Result<std::optional<Upstream>> upstream_of_branch(std::string_view branch,
                                                   const ConfigLookup& config, RefStore& refs,
                                                   FileSystem& fs, const std::string& common_dir);

// The old-style files that can describe the branch's remote, existing or not.
std::vector<std::string> remote_files_of_branch(std::string_view branch, const ConfigLookup& config,
                                                const std::string& common_dir);

// Whether `git push` on refs/heads/<branch> would move what `upstream` keeps: by push.default, the
// branch's remote for pushing and that remote's refspecs. kUnknown where that takes refspecs for
// pushing.
BranchStatus::Push push_of_branch(std::string_view branch, const std::string& upstream,
                                  const ConfigLookup& config);

// The ref under which `refspecs` keep what the remote calls `name`; the first one that matches
// decides, unless a negative one excludes it. kUnsupported for a refspec that git would refuse.
Result<std::optional<std::string>> find_tracking_ref(const std::vector<std::string>& refspecs,
                                                     const std::string& name);

}  // namespace resident
