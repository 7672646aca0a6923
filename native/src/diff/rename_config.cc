#include "diff/rename_config.h"

#include "base/ascii.h"
#include "config/config_value.h"

namespace resident {

namespace {

// The entry that counts: the status key, else the first diff key.
const ConfigEntry* deciding_entry(const Config& config, std::string_view status_key,
                                  std::string_view diff_key) {
  if (const ConfigEntry* entry = config.find(status_key)) return entry;
  for (const ConfigEntry& entry : config.entries()) {
    if (entry.key == diff_key) return &entry;
  }
  return nullptr;
}

}  // namespace

RenameMode configured_renames(const Config& config) {
  const ConfigEntry* entry = deciding_entry(config, "status.renames", "diff.renames");
  if (!entry || !entry->value) return RenameMode::kRenames;
  const std::string_view text = *entry->value;
  if (equal_bytes(text, "copies", true) || equal_bytes(text, "copy", true)) {
    return RenameMode::kCopies;
  }
  return parse_config_bool(*entry->value).value_or(true) ? RenameMode::kRenames : RenameMode::kOff;
}

std::optional<int> configured_rename_limit(const Config& config) {
  const ConfigEntry* entry = deciding_entry(config, "status.renamelimit", "diff.renamelimit");
  if (!entry || !entry->value) return std::nullopt;
  std::optional<int64_t> limit = parse_config_int(*entry->value);
  if (!limit || *limit < 0 || *limit > INT32_MAX) return std::nullopt;
  return static_cast<int>(*limit);
}

}  // namespace resident
