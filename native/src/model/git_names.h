// GitNames: the list of names that makes git check all changes. It follows git's file system
// monitor protocol (githooks(5), fsmonitor-watchman).
//
// A reported name has two effects in git. Its index entry is no longer taken for unchanged. The
// untracked cache of its directory is dropped. Some names miss an effect:
// - A name that ends in '/' reaches the entries below only since git 2.31, and never the untracked
//   cache. Each entry below and a name in each directory below are therefore reported too.
// - The untracked cache ignores a name that git refuses in an index (verify_path() in
//   read-cache.c). Another name in the same directory is reported instead. If git refuses the
//   directory's own name, no name reaches that directory.
// - "/" (everything) leaves the untracked cache unchanged. git trusts the cache again after the
//   next answer that is not "/" (fsmonitor.c).
//
// Threads: one owner.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace resident {

class GitNames {
 public:
  // Something is, or was, at `path`. `path` does not end in '/'.
  void add(std::string_view path);
  // Names may have come or gone in this directory ("" or ending in '/').
  void add_in(std::string_view directory);
  // A directory may have come or gone, with everything below. `directory` ends in '/'. The caller
  // also adds the entries and directories below it.
  void add_below(std::string_view directory);

  // False: no list is enough; report that everything changed.
  bool are_enough() const { return are_enough_; }
  size_t count() const { return names_.size(); }
  // Each name once, in unspecified order.
  std::vector<std::string> take();

 private:
  bool reaches(std::string_view directory);

  std::vector<std::string> names_;
  bool are_enough_ = true;
};

}  // namespace resident
