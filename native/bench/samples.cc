#include "bench/samples.h"

#include <charconv>
#include <fstream>

namespace resident::bench {

ProcessMemory memory_of(const std::string& process) {
  ProcessMemory memory;
  std::ifstream file("/proc/" + process + "/status");
  for (std::string line; std::getline(file, line);) {
    int64_t* wanted = line.starts_with("VmRSS:")   ? &memory.resident_kb
                      : line.starts_with("VmHWM:") ? &memory.peak_kb
                                                   : nullptr;
    if (!wanted) continue;
    const size_t digits = line.find_first_of("0123456789");
    if (digits != std::string::npos) {
      std::from_chars(line.data() + digits, line.data() + line.size(), *wanted);
    }
  }
  return memory;
}

}  // namespace resident::bench
