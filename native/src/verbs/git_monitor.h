// What git asks a monitor of file systems, by its hook (githooks(5), fsmonitor-watchman) or on the
// socket of its own daemon, and how it is told.
//
// Threads: functions without a state, any.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "verbs/changes_question.h"

namespace resident {

// So long git waits for a process that is stopped, or busy with something else.
inline constexpr std::chrono::seconds kGitsPatience{1};

// The next token, then each name that changed, all ending in NUL; "/": everything.
std::string monitor_answer(const ChangesReply& reply);
// Where it is not known what changed.
std::string monitor_answer_everything();

// For whom the names are, by the words that a git command was started with.
WorktreeModel::ChangesFor asker_of(std::string_view command_line);

// Where GIT_INDEX_FILE leads from a worktree's root; "" where its directory is not there.
std::string index_file_at(const std::string& root, std::string_view index_file);

// The question of a git command that runs, and waits for the answer, as its /proc directory tells
// it; nullopt where that does not, or where we run it ourselves: everything changed for it. It has
// found its git directory, and stands in the worktree.
std::optional<ChangesQuestion> monitor_question_of(pid_t git, const std::string& token);

}  // namespace resident
