// verify_tree: examines a tree that was read before, or a part of it. It does not list or watch
// unchanged directories again.
//
// A directory is unchanged if three things hold. It has the same device and inode. Its mtime and
// ctime are the same, and were settled when it was read. Its watch is still its own; the caller
// knows that the watch was not removed. A newer directory with the same inode has another ctime. An
// unchanged directory needs no listing. Each tracked file in it is examined by lstat, and its
// .gitignore is read and compared. Its cost is open, fstat and close, and one lstat for each file.
// Stale directories are reported, not repaired.
//
// Submodules are examined as directories. Not usable with a path limit; with core.ignoreCase only
// for a part.
//
// It writes only to `context.states` and the findings, so the caller can cancel it at any time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "status/scan.h"

namespace resident {

// Part of a tree to examine: a directory and its files; only what is below it; neither.
enum class TreePart : uint8_t { kHere, kBelow, kNone };

struct VerifyContext {
  // Its watcher is not used.
  const ScanContext& scan;
  // Whether a node's watch is still its own. Called from any worker.
  std::function<bool(const DirectoryNode&)> is_watched;
  // Give up if more directories than this are stale.
  size_t most_stale = SIZE_MAX;
  // Empty: the whole tree is examined. A part is meant for frequent calls: it finds no links, and
  // ignores missing directories. kNone also excludes everything below. Called from any worker.
  std::function<TreePart(const DirectoryNode&)> part = {};
};

// A file and its stat, taken after `at`.
struct SeenFile {
  std::string path;
  FileStat stat;
  Timestamp at;
};

struct Verified {
  // Without `watched` and `unwatched`.
  ScanFindings findings;
  // Stale directories, parents first. States of their direct entries are unwritten. If a directory
  // was replaced or is gone, the states of its whole subtree are unwritten.
  std::vector<std::string> stale;
  bool given_up = false;  // too many stale directories, or cancelled
  // Only for a part: its .gitattributes files, and the entries that can be the destination of a
  // rename.
  std::vector<SeenFile> attribute_files;
  std::vector<uint32_t> destinations;
};

// `root` is the open directory of `top`. `top` itself may be stale.
Verified verify_tree(const VerifyContext& context, const DirectoryNode& top, Directory root);

}  // namespace resident
