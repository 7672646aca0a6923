#include "config/config_ahead.h"

#include <utility>

namespace resident {

ConfigAhead::ConfigAhead(FileSystem& fs, std::string directory)
    : fs_(fs),
      asked_at_(fs.now()),
      // If no thread can be started, git runs in the thread that waits for the answer.
      said_(std::async(std::launch::async | std::launch::deferred,
                       [command = Config::command({.directory = std::move(directory)})] {
                         return run_git(command);
                       })) {
}

Result<Config> ConfigAhead::load(const ConfigPlace& place) {
  RESIDENT_TRY(const GitOutput said, said_.get());
  return Config::from_git(fs_, place, said, asked_at_);
}

}  // namespace resident
