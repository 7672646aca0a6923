// The part of the configuration that decides about conversions. core.eol and core.safecrlf are not
// in it: they change how files are written and what git warns of, not what it hashes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "config/config.h"

namespace resident {

// filter.<name>.*
struct FilterDriver {
  std::string clean = {};  // a command; empty: none
  std::optional<std::string> process =
      {};  // the same; where it is set, even empty, clean is unused
  bool required = false;

  // The command that converts a file's bytes before they are hashed; empty: none.
  const std::string& command() const { return process ? *process : clean; }
  bool runs_on_clean() const { return !command().empty(); }
};

struct ConversionConfig {
  // core.autocrlf is true or input: paths without text attributes are converted as with text=auto.
  bool autocrlf = false;
  std::unordered_map<std::string, FilterDriver> drivers;
  // git-lfs runs further programs, which lfs.extension.<name>.clean names.
  bool lfs_runs_others = false;

  // The driver's command; "" where the config has its program run others.
  std::string_view plain_command(const FilterDriver& driver) const {
    return lfs_runs_others ? std::string_view() : driver.command();
  }

  static ConversionConfig read(const Config& config);
};

}  // namespace resident
