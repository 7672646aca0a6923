#include "service/pause_reason.h"

#include <cstdlib>
#include <filesystem>

#include "fs/linux/posix_file_system.h"

namespace resident {

namespace {

// What is not there has none.
std::string first_word(const std::filesystem::path& path) {
  const Result<std::string> text = posix_file_system().read_file(path.native());
  return text.ok() ? text->substr(0, text->find_first_of(" \n")) : std::string();
}

// Source: the kernel's Documentation/ABI/testing/sysfs-class-power.
bool runs_on_battery(const std::string& root) {
  std::error_code none;
  bool discharging = false;
  for (std::filesystem::directory_iterator it(root + "/sys/class/power_supply", none), end;
       !none && it != end; it.increment(none)) {
    const std::filesystem::path& supply = it->path();
    if (first_word(supply / "scope") == "Device") continue;  // a mouse has one too
    if (first_word(supply / "type") == "Battery") {
      discharging = discharging || first_word(supply / "status") == "Discharging";
    } else if (first_word(supply / "online") == "1") {
      return false;
    }
  }
  return discharging;
}

bool is_busy(const std::string& root, unsigned cores) {
  const std::string load = first_word(root + "/proc/loadavg");
  return !load.empty() && std::strtod(load.c_str(), nullptr) >= cores;
}

}  // namespace

PauseReason pause_reason(const std::string& root, unsigned cores) {
  if (runs_on_battery(root)) return PauseReason::kBattery;
  return is_busy(root, cores) ? PauseReason::kLoad : PauseReason::kNone;
}

}  // namespace resident
