// The part of the configuration that decides about conversions. core.eol and core.safecrlf are not
// in it: they change how files are written and what git warns of, not what it hashes.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "config/config.h"

namespace resident {

// filter.<name>.*
struct FilterDriver {
  bool has_clean = false;    // a command that is not empty
  bool has_process = false;  // as above; and filter.<name>.process, even if empty, disables clean
  bool process_is_configured = false;
  bool required = false;

  bool runs_on_clean() const { return process_is_configured ? has_process : has_clean; }
};

struct ConversionConfig {
  // core.autocrlf is true or input: paths without text attributes are converted as with text=auto.
  bool autocrlf = false;
  std::unordered_map<std::string, FilterDriver> drivers;

  static ConversionConfig read(const Config& config);
};

}  // namespace resident
