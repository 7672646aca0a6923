// What is measured inside one process, linked to the core: each function is one row of the report
// and returns what bench_core prints.
//
// Threads: one caller; scans use `threads`.
#pragma once

#include <string>

#include "base/result.h"

namespace resident::bench {

// Loading that index file, as git status does (its checksum not compared) and with the checksum.
Result<std::string> core_load(const std::string& index_path, int runs);
// HEAD's tree against the index.
Result<std::string> core_head(const std::string& worktree, int runs);
// A scan without watches, step by step.
Result<std::string> core_scan(const std::string& worktree, unsigned threads);
// The resident model: its first answer, answers when nothing happened, everything looked at again,
// and what it takes of memory. `idle` is how many questions are asked.
Result<std::string> core_resident(const std::string& worktree, unsigned threads, int rescans,
                                  int idle);
// The resident model's answers while nothing happens, and after HEAD's branch has moved to another
// commit of the same tree and back. The branch is put back; one commit more is in the objects.
Result<std::string> core_refs(const std::string& worktree, unsigned threads, int idle, int moves);
// The resident model's answer after `count` files were edited; and after that was taken back.
Result<std::string> core_edits(const std::string& worktree, unsigned threads, int count, int runs);
// The resident model's answer after `git add` of one edited file, and of a new one, beside what it
// takes to load the new index.
Result<std::string> core_add(const std::string& worktree, unsigned threads, int runs);
// How long after the end of `git checkout <branch>`, and of the way back, a Resident is right.
Result<std::string> core_checkout(const std::string& worktree, const std::string& branch,
                                  unsigned threads, int runs);
// How far HEAD and that branch have diverged, with nothing of the commits read before.
Result<std::string> core_ahead_behind(const std::string& worktree, const std::string& branch,
                                      int runs);
// HEAD's nearest annotated tag, with no tag and no commit read before.
Result<std::string> core_describe(const std::string& worktree, int runs);
// How many objects a clone of all branches and tags would be sent.
Result<std::string> core_clone_objects(const std::string& worktree, int runs);
// Reading these objects ("id,id"), after all of them were read once.
Result<std::string> core_objects(const std::string& worktree, const std::string& ids, int runs);
// What the kernel takes for the same as core_edits: the events of `count` edits, and an lstat each.
Result<std::string> floor_edits(const std::string& worktree, int count, int runs);

}  // namespace resident::bench
