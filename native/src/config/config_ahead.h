// ConfigAhead: git is asked for a directory's config while it is asked where the repository of that
// directory is, for a process that answers one question and ends.
//
// Threads: one owner.
#pragma once

#include <future>
#include <string>

#include "config/config.h"

namespace resident {

class ConfigAhead {
 public:
  // Begins to ask; `directory` is as in ConfigPlace. Whoever lets go of this waits for git's end.
  ConfigAhead(FileSystem& fs, std::string directory);

  // As Config::load(), once, for the place as it is known by then.
  Result<Config> load(const ConfigPlace& place);

 private:
  FileSystem& fs_;
  const Timestamp asked_at_;
  std::future<Result<GitOutput>> said_;
};

}  // namespace resident
