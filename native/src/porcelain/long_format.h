// The long format of `git status`: what a person reads.
//
// Every sentence is git's own, in English, as PrintOptions::rules have it; whoever asks sees to it
// that no translation applies.
// Source: git's wt-status.c (wt_longstatus_print and what it calls), remote.c
// (format_tracking_info).
#pragma once

#include <string>

#include "porcelain/porcelain.h"
#include "status/status.h"

namespace resident {

// `status.branch` and `status.operation` must be present.
std::string print_long(const StatusResult& status, const PrintOptions& options);

}  // namespace resident
