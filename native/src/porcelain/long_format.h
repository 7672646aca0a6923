// The long format of `git status`, for human readers.
//
// Every sentence is git's own, in English, in the form of PrintOptions::rules. The caller must make
// sure that no translation applies.
//
// Source: git's wt-status.c (wt_longstatus_print and its callees), remote.c (format_tracking_info).
#pragma once

#include <string>

#include "porcelain/porcelain.h"
#include "status/status.h"

namespace resident {

// Prints at the end of `text`. `status.branch` and `status.operation` must be present.
void print_long(const StatusResult& status, const PrintOptions& options, std::string& text);

}  // namespace resident
