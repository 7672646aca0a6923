// SweepPosition: the position of a sweep in a tree.
//
// It is a path in the order of a walk, because directories can be added and removed between two
// steps.
//
// Threads: the tree's owner.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "status/directory_node.h"
#include "tree/linked_files.h"

namespace resident {

class SweepPosition {
 public:
  // Finds the node of a directory, "" or ending in '/'; null if it has no node.
  using FindNode = std::function<DirectoryNode*(std::string_view path)>;

  // The next directory; null at the end of the round.
  DirectoryNode* next(const FindNode& find) const;
  // The last checked file in the directory at `path`. The sweep continues after it. "": it starts
  // with the first file.
  std::string visited_in(const std::string& path) const;
  // Records a visit of the directory, up to `file`, or to its end if `file` is "".
  void record_visited(std::string path, std::string file, uint64_t looks);
  // Counts a file with several links that LinkedFiles does not know by path.
  void record_linked() { ++linked_beyond_; }
  uint64_t linked_beyond() const { return linked_beyond_; }
  void end_round();
  // Call it after a scan, which has examined everything.
  void restart();

  uint64_t rounds() const { return rounds_; }
  uint64_t looks() const { return looks_; }

  // Compares a file with special content (.gitignore, .gitattributes) with the sweep's last stat of
  // it. `stat` is the present one; nullopt: the file is gone.
  enum class Seen { kFirst, kSame, kChanged, kGone };
  Seen see_rules(const std::string& path, const std::optional<FileStat>& stat, Timestamp at);

 private:
  bool begun_ = false;
  std::string directory_;  // path of the last visited directory
  std::string file_;       // its last checked file; "" after all files
  uint64_t rounds_ = 0;    // completed rounds; a scan counts as a round
  uint64_t looks_ = 0;     // in the present round
  uint64_t linked_beyond_ = 0;
  std::map<std::string, CachedStat> rules_;  // by path
};

}  // namespace resident
