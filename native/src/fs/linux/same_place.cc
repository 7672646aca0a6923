#include "fs/same_place.h"

#include <sys/stat.h>

#include <filesystem>

namespace resident {

bool is_same_directory(const std::string& one, const std::string& other) {
  if (one == other) return true;
  struct stat first {};
  struct stat second {};
  return ::stat(one.c_str(), &first) == 0 && ::stat(other.c_str(), &second) == 0 &&
         S_ISDIR(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool is_same_name(const std::string& one, const std::string& other) {
  if (one == other) return true;
  const std::filesystem::path first(one);
  const std::filesystem::path second(other);
  return first.filename() == second.filename() &&
         is_same_directory(first.parent_path().native(), second.parent_path().native());
}

}  // namespace resident
