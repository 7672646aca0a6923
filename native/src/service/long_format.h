// The long format of `git status`: what a person reads.
//
// Every sentence is git's own, in English; whoever asks sees to it that no translation applies, and
// that the git on PATH has these sentences.
// Source: git's wt-status.c (wt_longstatus_print and what it calls), remote.c
// (format_tracking_info).
#pragma once

#include <string>

#include "git/git_version.h"
#include "service/porcelain.h"
#include "worktree/status.h"

namespace resident {

// Whether a git of that version says what print_long() does. 2.35 came with --allow-empty for an am
// session; 2.40 and those after it word one advice after another anew.
bool long_format_is_of(const GitVersion& version);

// `status.branch` and `status.operation` must be present.
std::string print_long(const StatusResult& status, const PrintOptions& options);

}  // namespace resident
