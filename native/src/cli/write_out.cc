#include "cli/write_out.h"

#include <cerrno>
#include <cstring>
#include <string>

#include "cli/fatal.h"
#include "os/descriptor_io.h"
#include "os/standard_streams.h"

namespace resident {

bool write_to(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const IoResult written = write_some(descriptor, text.data(), text.size());
    if (written.state != IoResult::State::kSome) return false;
    text.remove_prefix(written.count);
  }
  return true;
}

int write_out(std::string_view text) {
  if (write_to(kStandardOutput, text)) return 0;
  return fatal(std::string("write failure on standard output: ") + std::strerror(errno));
}

}  // namespace resident
