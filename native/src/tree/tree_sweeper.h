// TreeSweeper: walks round a tree and searches for changes without an event. Examples are stores
// through mmap, writes through another link or by another host, and lost watches.
//
// It opens each directory, compares it with its node, and renews its watch. If the directory's
// mtime differs, it reads the names. It examines each tracked file like a scan does. It never
// stores results itself: a name with a difference is rechecked like after an event. A sweep can
// therefore be late, but never wrong.
//
// Calls NameRechecker.
//
// Threads: the tree's owner.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "tree/name_rechecker.h"
#include "tree/sweep_position.h"

namespace resident {

class TreeSweeper {
 public:
  // All arguments outlive this object.
  TreeSweeper(TreeState& state, NameRechecker& rechecker) : state_(state), rechecker_(rechecker) {}

  // Takes up to `limit` looks (a directory or a file each). It stops earlier if `interrupted` (may
  // be empty) returns true, but always makes some progress. True: the tree has collected changes or
  // problems, or a round has ended.
  bool sweep(uint64_t limit, const std::function<bool()>& interrupted = {});
  struct Progress {
    uint64_t rounds = 0;  // completed rounds; a scan counts as a round
    uint64_t looks = 0;   // in the present round
    uint64_t expected = 0;
  };
  Progress progress() const;
  // Call it after a scan, which has examined everything.
  void restart() { position_.restart(); }

  // Visits one polled directory completely.
  void visit_whole(const std::string& path);
  // Rechecks a file with special content if it may have changed, whether the index has it or not.
  // `stat` was taken after `at`.
  void recheck_rules(DirectoryNode& node, const std::string& name,
                     const std::optional<FileStat>& stat, Timestamp at);

 private:
  struct Visit;
  // A name and its kind in a listing; nullopt: the name is gone.
  using ListedName = std::pair<std::string, std::optional<FileKind>>;

  void visit(DirectoryNode& node, Visit& visit);
  void visit_directory(DirectoryNode& node, Visit& visit);
  bool visit_names(DirectoryNode& node, const Directory& directory);
  void visit_entries(DirectoryNode& node, const Directory& directory, Visit& visit);
  bool is_known_as(const DirectoryNode& node, const ListedName& listed) const;
  bool is_as_known(uint32_t position, const Refreshed& refreshed);

  TreeState& state_;
  NameRechecker& rechecker_;
  SweepPosition position_;
};

}  // namespace resident
