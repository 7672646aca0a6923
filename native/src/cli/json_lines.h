// What `git-resident watch --json` prints: each step of a worktree's status as one line of JSON.
//
//   {"base": 0, "version": 1, "more": false,
//    "state": "watching", "message": "…",
//    "branch": {"name": "main", "oid": "…" or null, "detached": false, "upstream": "…" or null,
//               "ahead": 0, "behind": 0 (null: not counted)},
//    "operation": "none" | "merge" | "rebase" | "cherry-pick" | "revert" | "bisect" | "am",
//    "details": {"tag": {"name": "v1.0", "distance": 3} or null, "stashes": 2 (absent: not known),
//                "action": "rebase-i 2/5" (absent: none),
//                "upstream": {"remote": "origin", "branch": "main", "url": "…"},
//                "push": {"remote": "mine", "branch": "main", "url": "…", "ahead": 0, "behind":
//                0}},
//    "step": "2/5" (of a rebase or am) or null,
//    "changed": [{"path": "a", "xy": ".M", "from": "b" (of a rename or copy)}],
//    "unmerged": [{"path": "a", "xy": "UU"}], "untracked": ["a"],
//    "removed": ["a"], "removedUntracked": ["a"], "problems": ["…"]}
//
// base, version and more are always there; of the others, those that are new. A line whose base is
// 0 begins anew: what was told before is void. Where `more` is true, the rest of the same step
// follows at once. `xy` is git's (porcelain version 2). Rows replace those of the same path;
// `removed` names paths that are neither changed nor unmerged any more. The last line of a worktree
// that went away has the state "gone".
//
// `details` is told with --details alone. `tag` is that of `git describe --tags`, null where no tag
// leads to HEAD, and absent until it is found, or where it cannot be. `upstream` and `push`, where
// `git push` goes, are absent where there is none; `ahead` and `behind` until they are counted, and
// where the branch is not there. `url` is as git rewrites it, absent for none.
//
// A string of bytes that are not UTF-8 is {"base64": "…"} in the place of the string. More members
// may come; none goes, or means something else.
#pragma once

#include <string>
#include <string_view>

#include "delta/delta_mailbox.h"

namespace resident {

// With the newline.
std::string json_line(const DeltaChunk& chunk);
std::string json_line_of_gone(std::string_view message);

// A string, quoted, or an object with its base64.
void append_json_text(std::string& out, std::string_view bytes);

}  // namespace resident
