// Capabilities: the properties in which file systems of different systems differ, as far as answers
// depend on them. The default values describe Linux. (gix_fs::Capabilities)
#pragma once

#include <cstddef>

namespace resident {

struct Capabilities {
  // False: names that differ only in case name one file. A name that is not listed may then exist.
  bool case_sensitive = true;
  // git's default of core.symlinks.
  bool symbolic_links = true;
  // FileStat::inode is the number that git stores in its index. False: git stores 0.
  bool inodes = true;
  // FileStat::uid tells who owns a file. False: it is 0, like in git's index.
  bool owners = true;
  // Maximum length of a name, and of a path with its NUL, in bytes. A path is longer than a name.
  size_t max_name = 255;
  size_t max_path = 4096;
};

}  // namespace resident
