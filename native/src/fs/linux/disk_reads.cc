#include "fs/disk_reads.h"

#include <sys/resource.h>

namespace resident {

uint64_t disk_reads() {
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<uint64_t>(usage.ru_inblock) : 0;
}

}  // namespace resident
