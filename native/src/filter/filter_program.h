// FilterProgram: finds the program that a filter's command runs, and checks whether an earlier
// answer of the filter is still valid.
//
// Contract: git-lfs decides only from the bytes of the file and from git's config. Its answer is
// valid while the same program is found. The search must meet the same places along PATH, each with
// the same stat data (device, inode, size, mtime, ctime). The last place must be a native program
// of that name.
//
// For any other command no check can show that its answer is still valid. A script or an
// interpreter reads other files, a shell command runs other programs, a formatter has its own
// configuration. Each question that depends on such a filter asks it again. git runs it as often.
//
// Nothing is watched or kept open. A check costs one stat per place.
//
// Threads: immutable after find(). The environment is read without a lock, like in execvp.
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
  // Call before git runs the filter. `command` is the value of filter.<name>.clean or .process.
  static FilterProgram find(FileSystem& fs, std::string_view command);
  // False: an answer is valid only for the question that asked for it.
  bool is_known() const { return !places_.empty(); }
  // Whether an answer since find() is still valid.
  bool holds(FileSystem& fs) const;

 private:
  std::string word_;  // the program's name in the command
  std::vector<std::string> places_;
  std::vector<std::optional<FileStat>> stats_;
};

}  // namespace resident
