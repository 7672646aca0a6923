#include "os/power.h"

#include <fcntl.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "os/descriptor_io.h"
#include "os/unique_fd.h"

namespace resident {

namespace {

// Empty if the file is missing. Streams of the C++ library would link its locales: 400 kB.
std::string first_word(const std::filesystem::path& path) {
  char bytes[128];
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return "";
  const IoResult read = read_some(file.get(), bytes, sizeof bytes);
  const std::string_view text(bytes, read.state == IoResult::State::kSome ? read.count : 0);
  return std::string(text.substr(0, text.find_first_of(" \n")));
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
