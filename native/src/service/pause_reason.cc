#include "service/pause_reason.h"

#include <optional>

#include "os/power.h"

namespace resident {

PauseReason pause_reason(const std::string& root, unsigned cores) {
  if (runs_on_battery(root)) return PauseReason::kBattery;
  const std::optional<double> load = load_average(root);
  return load && *load >= cores ? PauseReason::kLoad : PauseReason::kNone;
}

}  // namespace resident
