// What a prompt asks of a status, and what it counts of its rows.
#pragma once

#include "config/config.h"
#include "prompt/prompt_status.h"
#include "status/status.h"

namespace resident {

struct PromptRows {
  StatusQuery asked;
  bool counts_changes = true;  // false: bash.showDirtyState hides them
};

PromptRows prompt_rows(const PromptQuery& query, const Config& config);

// A rename counts as a deletion and an addition.
void count_row(const ChangedEntry& row, PromptStatus& status);

}  // namespace resident
