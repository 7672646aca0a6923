#include "cli/stoppable_output.h"

#include <algorithm>
#include <array>

#include "os/descriptor_io.h"

namespace resident {

StoppableOutput::StoppableOutput(int fd) : fd_(fd), stop_(Wakeup::make()) {
}

bool StoppableOutput::write(std::string_view text) {
  while (!text.empty()) {
    const int stop = stop_.ok() ? stop_->fd() : -1;
    std::array<Awaited, 2> awaited{{{fd_, kWritable}, {stop, kReadable}}};
    if (!wait_for(awaited, -1) || stopped_) return false;
    if (awaited[0].ready == 0) continue;
    const IoResult written = write_some(fd_, text.data(), std::min(text.size(), kMaxAtomicWrite));
    if (written.is_over()) return false;
    text.remove_prefix(written.count);
  }
  return !stopped_;
}

void StoppableOutput::stop() {
  stopped_ = true;
  if (stop_.ok()) stop_->wake();
}

}  // namespace resident
