#include "filter/conversion_config.h"

#include "base/ascii.h"
#include "config/config_value.h"

namespace resident {
namespace {

constexpr std::string_view kFilterSection = "filter.";
constexpr std::string_view kLfsExtensions = "lfs.extension.";

void read_driver_entry(const ConfigEntry& entry, ConversionConfig& result) {
  std::string_view rest = std::string_view(entry.key).substr(kFilterSection.size());
  const size_t dot = rest.rfind('.');
  if (dot == std::string_view::npos) return;  // "filter.<variable>" names no driver
  const std::string_view variable = rest.substr(dot + 1);
  FilterDriver& driver = result.drivers[std::string(rest.substr(0, dot))];
  if (variable == "clean") {
    driver.clean = entry.value.value_or("");
  } else if (variable == "process") {
    driver.process = entry.value.value_or("");
  } else if (variable == "required") {
    driver.required = !entry.value || parse_config_bool(*entry.value).value_or(false);
  }
}

}  // namespace

ConversionConfig ConversionConfig::read(const Config& config) {
  ConversionConfig result;
  if (auto value = config.get("core.autocrlf")) {
    result.autocrlf = equal_bytes(*value, "input", true) || config.get_bool("core.autocrlf", false);
  }
  for (const ConfigEntry& entry : config.entries()) {
    if (entry.key.starts_with(kFilterSection)) read_driver_entry(entry, result);
    if (entry.key.starts_with(kLfsExtensions)) result.lfs_runs_others = true;
  }
  return result;
}

}  // namespace resident
