// Parts of a path, by its text alone.
#pragma once

#include <string>
#include <string_view>

namespace resident {

// The name after the last slash; all of `path` without one.
inline std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// The directory of an absolute path without a slash at its end. The root is its own directory.
inline std::string parent_directory(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == 0 || slash == path.npos ? "/" : std::string(path.substr(0, slash));
}

}  // namespace resident
