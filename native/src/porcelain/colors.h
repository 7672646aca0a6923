// The colours of the short and the long format. Source: git's color.c and Documentation/config.txt
// (Values, color).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/config.h"

namespace resident {

// Escape sequences. Empty: no colour.
struct StatusPalette {
  std::string header;
  std::string updated = "\033[32m";
  std::string changed = "\033[31m";
  std::string untracked = "\033[31m";
  std::string no_branch = "\033[31m";
  std::string unmerged = "\033[31m";
  std::string local_branch = "\033[32m";
  std::string remote_branch = "\033[31m";
  std::optional<std::string> on_branch;  // long format; unset: same as header

  static StatusPalette plain() { return {"", "", "", "", "", "", "", "", std::nullopt}; }
  friend bool operator==(const StatusPalette&, const StatusPalette&) = default;
};

// Converts a value like "bold red blue" to an escape sequence. Returns nullopt if git refuses it.
std::optional<std::string> parse_color(std::string_view value);

// The palette after color.status.<slot>. Returns nullopt if git refuses a value.
std::optional<StatusPalette> palette_from(const Config& config);

enum class ColorChoice : uint8_t { kNever, kAlways, kAuto };

// The value of color.status, else color.ui, else auto. Returns nullopt if git refuses a value.
std::optional<ColorChoice> color_choice_from(const Config& config);

}  // namespace resident
