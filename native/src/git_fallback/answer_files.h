// The files around a worktree that decide what git says of it, whatever git reads there: what has
// to be as it was for an answer of git's to hold, besides the worktree's own files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fs/file_system.h"

namespace resident {

// Every file and directory of the git directories, absolute; a directory ends in '/'. Of an object
// store only the directories that tell which objects there are. nullopt where there are more than
// kMaxAnswerFiles, or where something cannot be followed: then nothing tells of a change.
inline constexpr size_t kMaxAnswerFiles = 2000;
std::optional<std::vector<std::string>> answer_files(FileSystem& fs,
                                                     const std::vector<std::string>& git_dirs);

}  // namespace resident
