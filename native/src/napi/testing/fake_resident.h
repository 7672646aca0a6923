// A Resident that does what a test says: no disk, no events, faults on demand. It takes the place
// of the real one at link time, in the test of WorktreeSession and in the addon that test/addon
// loads.
//
// open(path): the root is `path` itself. A path that starts with "fail:" is refused with kNotFound
// and the rest as message. The first delta says "watching" and has no entries.
//
// Everything else is asked through content(), which takes its path as a script, one command per
// line, and answers with the script itself (or nothing for kStage1):
//
//   ? PATH            the next delta has an untracked entry      ! PATH    it is gone
//   XY PATH           ... a changed entry (XY as in porcelain)   - PATH    it is gone
//   u MASK PATH       ... an unmerged entry (MASK 1..7)
//   many COUNT        ... COUNT untracked entries "many/0000000", ...
//   branch NAME       ... a branch
//   problem MESSAGE   ... a problem
//   send              sends the delta; without it nothing is sent
//   gone MESSAGE      the worktree goes away
//   fail MESSAGE      the next question fails with kIo and MESSAGE
//   wait FILE         questions and rescans take until FILE exists
//
// explain(): an untracked file, whatever the path. ignored(): true for paths that end in ".o".
// unwatched_files(): two files in the root. metadata_changed(): a delta with content_changed.
// replay(): all untracked entries again. attend(): a delta with each open path as an untracked one,
// and the problem "seen" or "not seen". want_details(): a delta with details, or with
// none. set_sweep(): a delta with a state whose sweep is paused
// under load at 40%, verified at 1,000 seconds; for zero with a state that has none. rescan(): a
// thousand files, with progress at every hundredth, one millisecond each.
#pragma once

#include <string>

#include "service/resident.h"

namespace resident {

// How many fakes live in this process.
int live_fake_residents();

}  // namespace resident
