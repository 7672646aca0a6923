#include "service/machine_strain.h"

#include <filesystem>
#include <fstream>

namespace resident {

namespace {

std::string first_word(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
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
  std::ifstream file(root + "/proc/loadavg");
  double load = 0;
  return file >> load && load >= cores;
}

}  // namespace

Strain machine_strain(const std::string& root, unsigned cores) {
  if (runs_on_battery(root)) return Strain::kBattery;
  return is_busy(root, cores) ? Strain::kLoad : Strain::kNone;
}

}  // namespace resident
