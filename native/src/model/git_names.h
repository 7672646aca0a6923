// GitNames: the names that make git look again where something changed, as its file system monitor
// protocol has them (githooks(5), fsmonitor-watchman).
//
// A name that is told does two things in git: the index entry of that name is no longer taken for
// unchanged, and what the untracked cache knows of the name's directory is dropped. Neither happens
// as one would expect of all names:
// - One that ends in '/' reaches the entries below only since git 2.31, and never the untracked
//   cache: each entry and one name in each directory below are told too.
// - The untracked cache is not told of a name that git refuses to have in an index (verify_path()
//   in read-cache.c). Another name in the same directory is told instead; where a directory's own
//   name is such a one, nothing reaches it.
// - "/", for everything, leaves the untracked cache as it is, to be believed with the next answer
//   that is no "/" (fsmonitor.c).
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
  // Something stands, or stood, at `path`, which does not end in '/'.
  void add(std::string_view path);
  // Names may have come or gone in this directory, "" or ending in '/'.
  void add_in(std::string_view directory);
  // A directory of this path, which ends in '/', may have come or gone, with what is below. The
  // entries and directories below are to be added as well.
  void add_below(std::string_view directory);

  // False: git has to be told that everything changed.
  bool are_enough() const { return are_enough_; }
  size_t count() const { return names_.size(); }
  // Each once, in no order that matters.
  std::vector<std::string> take();

 private:
  bool reaches(std::string_view directory);

  std::vector<std::string> names_;
  bool are_enough_ = true;
};

}  // namespace resident
