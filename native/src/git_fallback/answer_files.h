// The files around a worktree that can change git's answers about it. An answer of git stays valid
// while these files and the worktree's own files are unchanged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fs/file_system.h"

namespace resident {

// Every file and directory in the git directories, as absolute paths. A directory ends in '/'. An
// object store is listed by directories only: they show which objects exist. nullopt: more than
// kMaxAnswerFiles, or something cannot be followed. Then changes cannot be detected.
inline constexpr size_t kMaxAnswerFiles = 2000;
std::optional<std::vector<std::string>> answer_files(FileSystem& fs,
                                                     const std::vector<std::string>& git_dirs);

}  // namespace resident
