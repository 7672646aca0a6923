// ConfigAhead: reads the config of a directory while another git finds the repository of that
// directory. For a process that answers one question and exits.
//
// Threads: one owner.
#pragma once

#include <future>
#include <string>

#include "config/config.h"

namespace resident {

class ConfigAhead {
 public:
  // Starts git. `directory`: see ConfigPlace. The destructor waits until git ends.
  ConfigAhead(FileSystem& fs, std::string directory);

  // See Config::load(). Call once, with the place that is known by then.
  Result<Config> load(const ConfigPlace& place);

 private:
  FileSystem& fs_;
  const Timestamp asked_at_;
  std::future<Result<GitOutput>> said_;
};

}  // namespace resident
