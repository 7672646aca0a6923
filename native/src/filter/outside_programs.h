// OutsidePrograms: the programs outside of git that `git status` can ask: clean filters, and the
// hook of core.fsmonitor. What git said holds while they hold (FilterProgram). A hook never does:
// nothing tells what it will answer.
//
// Threads: one owner. The environment is read without a lock, as execvp would.
#pragma once

#include <string_view>
#include <vector>

#include "config/config.h"
#include "filter/filter_program.h"

namespace resident {

class OutsidePrograms {
 public:
  // Those that the config names. Call before git is asked.
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
