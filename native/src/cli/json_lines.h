// The output of `git-resident watch --json`: each step of a worktree's status as one line of JSON.
//
//    {"base": 0, "version": 1, "more": false,
//     "state": "watching", "message": "…",
//     "branch": {"name": "main", "oid": "…" or null, "detached": false, "upstream": "…" or null,
//                "ahead": 0, "behind": 0 (null: not counted)},
//     "operation": "none" | "merge" | "rebase" | "cherry-pick" | "revert" | "bisect" | "am",
//     "details": {"tag": {"name": "v1.0", "distance": 3} or null, "stashes": 2 (absent: unknown),
//                 "action": "rebase-i 2/5" (absent: none),
//                 "upstream": {"remote": "origin", "branch": "main", "url": "…"},
//                 "push": {"remote": "mine", "branch": "main", "url": "…",
//                          "ahead": 0, "behind": 0}},
//     "step": "2/5" (of a rebase or am) or null,
//     "changed": [{"path": "a", "xy": ".M", "from": "b" (of a rename or copy)}],
//     "unmerged": [{"path": "a", "xy": "UU"}], "untracked": ["a"],
//     "removed": ["a"], "removedUntracked": ["a"], "problems": ["…"]}
//
// Every line has base, version and more. Other members are present only if their value is new. A
// line with base 0 starts again: discard all earlier lines. If `more` is true, the rest of the same
// step follows at once. The letters in `xy` are git's (porcelain version 2).
//
// Rows replace earlier rows of the same path. The list `removed` has paths that are no longer
// changed or unmerged. If the worktree goes away, its last line has the state "gone".
//
// Only --details adds `details`. Its members:
// - `tag` is the tag of `git describe --tags`, or null if no tag reaches HEAD. It is absent until
//   it is found, and if it cannot be found.
// - `upstream` and `push` (the target of `git push`) are absent if not configured.
// - `ahead` and `behind` are absent until they are counted, and if the branch does not exist.
// - `url` is the URL after git's rewrites, absent if none is set.
//
// A string whose bytes are not UTF-8 is replaced by {"base64": "…"}. Later versions may add
// members. No member will go away or change its meaning.
#pragma once

#include <string>
#include <string_view>

#include "delta/delta_mailbox.h"

namespace resident {

// Ends with a newline.
std::string json_line(const DeltaChunk& chunk);
std::string json_line_of_gone(std::string_view message);

}  // namespace resident
