// The part of the config that decides conversions. It does not include core.eol and core.safecrlf.
// They change how git writes files and what it warns about, not what it hashes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "config/config.h"

namespace resident {

// filter.<name>.*
struct FilterDriver {
  std::string clean = {};                   // a command; empty: none
  std::optional<std::string> process = {};  // a command; if set, even empty, clean is unused
  bool required = false;

  // The command that converts the bytes of a file before git hashes them. Empty: none.
  const std::string& command() const { return process ? *process : clean; }
  bool runs_on_clean() const { return !command().empty(); }
};

struct ConversionConfig {
  // core.autocrlf is true or input: paths without text attributes are converted like text=auto.
  bool autocrlf = false;
  std::unordered_map<std::string, FilterDriver> drivers;
  // git-lfs runs further programs: config sets lfs.extension.<name>.clean.
  bool lfs_runs_others = false;

  // The driver's command, or "" if the config makes its program run others.
  std::string_view plain_command(const FilterDriver& driver) const {
    return lfs_runs_others ? std::string_view() : driver.command();
  }

  static ConversionConfig read(const Config& config);
};

}  // namespace resident
