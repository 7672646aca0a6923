// FilterProgram: which program a filter's command runs, and whether an earlier answer of the filter
// still holds.
//
// Contract: git-lfs decides from the file's bytes and from git's config alone. Its answer holds
// while the same program is found: the same places along PATH, each with the same stat data
// (device, inode, size, mtime, ctime), and a native program of that name at the end.
// Of every other command nothing tells whether its answer changed: a script or an interpreter reads
// other files, a shell command runs other programs, a formatter has a configuration of its own. The
// filter is asked again with each question that depends on it. git runs it as often.
//
// Nothing is watched or kept open. A check costs one stat for each place.
//
// Threads: immutable after find(). The environment is read without a lock, as execvp would.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "filter/conversion_config.h"
#include "fs/file_system.h"

namespace resident {

class FilterProgram {
 public:
  // Call before git runs the filter. `command`: the value of filter.<name>.clean or .process.
  static FilterProgram find(FileSystem& fs, std::string_view command);
  // False: an answer is no better than the question that it was asked for.
  bool is_known() const { return !places_.empty(); }
  // Whether an answer since find() still holds.
  bool holds(FileSystem& fs) const;

 private:
  std::string word_;  // the program, as the command names it
  std::vector<std::string> places_;
  std::vector<std::optional<FileStat>> stats_;
};

}  // namespace resident
