#include "filter/outside_programs.h"

#include <algorithm>

#include "config/config_value.h"

namespace resident {

OutsidePrograms OutsidePrograms::of(FileSystem& fs, const Config& config) {
  OutsidePrograms found;
  const ConversionConfig conversions = ConversionConfig::read(config);
  for (const auto& [name, driver] : conversions.drivers) {
    if (driver.runs_on_clean()) found.add_filter(fs, conversions.plain_command(driver));
  }
  found.add_monitor(config.get("core.fsmonitor").value_or(""));
  return found;
}

void OutsidePrograms::add_filter(FileSystem& fs, std::string_view command) {
  programs_.push_back(FilterProgram::find(fs, command));
}

// Our own hook has nothing to say to a git that we ask, which then looks at everything.
void OutsidePrograms::add_monitor(std::string_view value) {
  const bool is_hook = !value.empty() && !parse_config_bool(value);
  if (is_hook && !value.ends_with("/git-resident")) programs_.emplace_back();
}

void OutsidePrograms::add(const OutsidePrograms& others) {
  programs_.insert(programs_.end(), others.programs_.begin(), others.programs_.end());
}

bool OutsidePrograms::are_known() const {
  return std::all_of(programs_.begin(), programs_.end(),
                     [](const FilterProgram& program) { return program.is_known(); });
}

bool OutsidePrograms::hold(FileSystem& fs) const {
  return std::all_of(programs_.begin(), programs_.end(),
                     [&](const FilterProgram& program) { return program.holds(fs); });
}

}  // namespace resident
