// Measurements inside one process, linked to the core. Each function is one row of the report, and
// returns the output of bench_core.
//
// Threads: one caller; scans use `threads`.
#pragma once

#include <string>

#include "base/result.h"

namespace resident::bench {

// Loads that index file: like git status, without checking its checksum, and with the checksum.
Result<std::string> core_load(const std::string& index_path, int runs);
// Compares HEAD's tree with the index.
Result<std::string> core_head(const std::string& worktree, int runs);
// Times the steps of a scan without watches.
Result<std::string> core_scan(const std::string& worktree, unsigned threads);
// The resident model: its first answer, answers without changes, a rescan, and its memory. `idle`
// is the number of questions.
Result<std::string> core_resident(const std::string& worktree, unsigned threads, int rescans,
                                  int idle);
// The resident model's answers without changes, and after HEAD's branch moved to another commit
// with the same tree and back. The branch is restored; the object database keeps one more commit.
Result<std::string> core_refs(const std::string& worktree, unsigned threads, int idle, int moves);
// The resident model's answer after `count` edited files, and after the edits were undone.
Result<std::string> core_edits(const std::string& worktree, unsigned threads, int count, int runs);
// The resident model's answer after `git add` of an edited file, and of a new file. Also the load
// time of the new index.
Result<std::string> core_add(const std::string& worktree, unsigned threads, int runs);
// Time from the end of `git checkout <branch>`, and of the way back, until a Resident is correct.
Result<std::string> core_checkout(const std::string& worktree, const std::string& branch,
                                  unsigned threads, int runs);
// How far HEAD and that branch have diverged, with no commit read before.
Result<std::string> core_ahead_behind(const std::string& worktree, const std::string& branch,
                                      int runs);
// HEAD's nearest annotated tag, with no tag and no commit read before.
Result<std::string> core_describe(const std::string& worktree, int runs);
// Reads these objects ("id,id") after all of them were read once.
Result<std::string> core_objects(const std::string& worktree, const std::string& ids, int runs);
// The floor of core_edits: the kernel's events of `count` edits, and one lstat for each.
Result<std::string> floor_edits(const std::string& worktree, int count, int runs);

}  // namespace resident::bench
