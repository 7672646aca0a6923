// SweepPosition: where a sweep round a tree stands.
//
// It is kept as a path, in the order of a walk, because directories come and go between two steps.
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
  // The node of a directory, "" or ending in '/'; null where none is kept.
  using FindNode = std::function<DirectoryNode*(std::string_view path)>;

  // The directory that is next; null at the end of the round.
  DirectoryNode* next(const FindNode& find) const;
  // The file in the directory at `path` after which it is to be gone on; "" where none was visited.
  std::string visited_in(const std::string& path) const;
  // The directory was visited; up to that file, or to its end with "".
  void record_visited(std::string path, std::string file, uint64_t looks);
  // Found in this round: a file with several links that is not known by its path.
  void record_linked() { ++linked_beyond_; }
  uint64_t linked_beyond() const { return linked_beyond_; }
  void end_round();
  // After a scan, which has looked at everything.
  void restart();

  uint64_t rounds() const { return rounds_; }
  uint64_t looks() const { return looks_; }

  // A file whose content counts (.gitignore, .gitattributes), as it is now; nullopt: it is gone.
  // What it was when the sweep saw it last.
  enum class Seen { kFirst, kSame, kChanged, kGone };
  Seen see_rules(const std::string& path, const std::optional<FileStat>& stat, Timestamp at);

 private:
  bool begun_ = false;
  std::string directory_;  // the path of the one that was visited last
  std::string file_;       // in it, the last file that was looked at; "" once all were
  uint64_t rounds_ = 0;    // that have ended; a scan is one too
  uint64_t looks_ = 0;     // in the one under way
  uint64_t linked_beyond_ = 0;
  std::map<std::string, CachedStat> rules_;  // by path
};

}  // namespace resident
