// The question of git to a file system monitor, and the format of the answer. A running git asks
// through its hook (githooks(5), fsmonitor-watchman) or on its own daemon's socket.
//
// Threads: any; stateless functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "os/process.h"
#include "verbs/changes_question.h"

namespace resident {

// Longest wait of git for a stopped or busy process.
inline constexpr std::chrono::seconds kGitsPatience{1};

// The next token, then each changed name, all ending in NUL; "/": everything.
std::string monitor_answer(const ChangesReply& reply);

// Chooses the kind of names by the command line of a git command.
WorktreeModel::ChangesFor asker_of(std::string_view command_line);

// Real path of GIT_INDEX_FILE, relative to a worktree's root; "" if its directory is missing.
std::string index_file_at(const std::string& root, std::string_view index_file);

// The question of a running git command that waits for the answer. The command has found its git
// directory, and its working directory is the worktree. Returns nullopt if the system does not tell
// its environment, or if we run this git ourselves. Then everything changed.
std::optional<ChangesQuestion> monitor_question_of(ProcessId git, const std::string& token);

}  // namespace resident
