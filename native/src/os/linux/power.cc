#include "os/power.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace resident {

namespace {

// Empty if the file is missing.
std::string first_word(const std::filesystem::path& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line.substr(0, line.find(' '));
}

}  // namespace

// Source: the kernel's Documentation/ABI/testing/sysfs-class-power.
bool runs_on_battery(const std::string& root) {
  std::error_code none;
  bool discharging = false;
  for (std::filesystem::directory_iterator it(root + "/sys/class/power_supply", none), end;
       !none && it != end; it.increment(none)) {
    const std::filesystem::path& supply = it->path();
    if (first_word(supply / "scope") == "Device") continue;  // a mouse's battery
    if (first_word(supply / "type") == "Battery") {
      discharging = discharging || first_word(supply / "status") == "Discharging";
    } else if (first_word(supply / "online") == "1") {
      return false;
    }
  }
  return discharging;
}

std::optional<double> load_average(const std::string& root) {
  const std::string load = first_word(root + "/proc/loadavg");
  if (load.empty()) return std::nullopt;
  return std::strtod(load.c_str(), nullptr);
}

}  // namespace resident
