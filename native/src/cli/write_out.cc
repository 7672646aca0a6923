#include "cli/write_out.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "cli/fatal.h"

namespace resident {

bool write_to(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

int write_out(std::string_view text) {
  if (write_to(STDOUT_FILENO, text)) return 0;
  return fatal(std::string("write failure on standard output: ") + std::strerror(errno));
}

}  // namespace resident
