// OutsidePrograms: the programs outside git that `git status` can ask. They are clean filters and
// the hook of core.fsmonitor. An answer of git is valid while these programs hold (see
// FilterProgram). A hook never holds: its next answer is unknown.
//
// Threads: one owner. The environment is read without a lock, like in execvp.
#pragma once

#include <string_view>
#include <vector>

#include "config/config.h"
#include "filter/filter_program.h"

namespace resident {

class OutsidePrograms {
 public:
  // The programs that the config names. Call before git runs.
  static OutsidePrograms of(FileSystem& fs, const Config& config);
  // The value of filter.<name>.clean or .process.
  void add_filter(FileSystem& fs, std::string_view command);
  // The value of core.fsmonitor.
  void add_monitor(std::string_view value);
  void add(const OutsidePrograms& others);

  bool are_known() const;
  bool hold(FileSystem& fs) const;

 private:
  std::vector<FilterProgram> programs_;
};

}  // namespace resident
