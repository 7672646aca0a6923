// struct stat -> FileStat.
#pragma once

#include <sys/stat.h>

#include "fs/file_stat.h"

namespace resident {

FileStat file_stat_from(const struct stat& st);

}  // namespace resident
