// A fake Resident that a test controls: no disk, no events, faults on demand. It replaces the real
// Resident at link time, in the test of WorktreeSession and in the addon that test/addon loads.
//
// open(path): the root is `path` itself. A path that starts with "fail:" fails with kNotFound and
// the rest as message. The first delta has the state "watching", two unwatched files and no
// entries.
//
// content() controls everything else. Its path is a script with one command per line. The answer is
// the script itself (or nothing for kStage1):
//
//    ? PATH            the next delta has an untracked entry      ! PATH    it is removed
//    XY PATH           ... a changed entry (XY as in porcelain)   - PATH    it is removed
//    u MASK PATH       ... an unmerged entry (MASK 1..7)
//    many COUNT        ... COUNT untracked entries "many/0000000", ...
//    branch NAME       ... a branch
//    problem MESSAGE   ... a problem
//    send              sends the delta; without it nothing is sent
//    gone MESSAGE      the worktree goes away
//    fail MESSAGE      the next question fails with kIo and MESSAGE
//    wait FILE         questions and rescans take until FILE exists
//
// Fixed behavior of the other functions:
// - explain(): an untracked file, for any path.
// - ignored(): true for paths that end in ".o".
// - metadata_changed(): a delta with content_changed.
// - replay(): all untracked entries again.
// - configure(): one delta with a part for each changed field. An open file is an untracked entry.
//   The visibility is the problem "visible" or "hidden". Details come with all fields, or none. The
//   sweep is paused under load at 40%, verified at 1,000 seconds; zero: without a sweep.
// - rescan(): a thousand files in steps of ten. Each step takes one millisecond and reports
//   progress.
#pragma once

#include <string>

#include "service/resident.h"

namespace resident {

// The number of fakes in this process.
int live_fake_residents();

}  // namespace resident
