#include "history/message_config.h"

#include "base/ascii.h"
#include "config/config_value.h"

namespace resident {

std::optional<int> configured_abbreviation(const Config& config, HashAlgorithm algorithm) {
  const std::string_view value = config.get("core.abbrev").value_or("auto");
  if (equal_bytes(value, "auto", true)) return std::nullopt;
  if (std::optional<int64_t> number = parse_config_int(value)) return static_cast<int>(*number);
  return static_cast<int>(2 * hash_size(algorithm));  // "no" and other false values
}

std::string configured_comment(const Config& config, const GitRules& rules) {
  std::string comment = "#";
  for (const ConfigEntry& entry : config.entries()) {
    const bool counts = entry.key == "core.commentchar" ||
                        (rules.comment_may_be_string && entry.key == "core.commentstring");
    if (!counts || !entry.value) continue;
    if (equal_bytes(*entry.value, "auto", true)) {
      if (rules.comment_auto_resets) comment = "#";
    } else if (entry.value->size() == 1 || (rules.comment_may_be_string && !entry.value->empty())) {
      comment = *entry.value;
    }
  }
  return comment;
}

}  // namespace resident
