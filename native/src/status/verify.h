// verify_tree: looks at everything that is on disk and was read before, or at part of it, without
// listing or watching anew the directories that are as they were.
//
// A directory is as it was read if it is the same one (device, inode), unchanged (mtime and ctime,
// both settled when it was read) and its watch, of which the caller knows that it was not taken
// away, is its own. Whatever became of a watch, a directory made later under the same inode has
// another ctime. So its names need no listing; each tracked file in it is looked at (lstat), and
// the .gitignore in it is read and compared. System calls of such a directory: open, fstat, close,
// and an lstat for each file. What is not as it was is told, not repaired.
//
// Submodules are looked at as directories. Not with a path limit; with core.ignoreCase only a part.
//
// Nothing but `context.states` and the findings is written, so it can be given up at any time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "status/scan.h"

namespace resident {

// What of a tree is looked at: a directory and its files; only what is below it; neither.
enum class TreePart : uint8_t { kHere, kBelow, kNone };

struct VerifyContext {
  // Its watcher is not used.
  const ScanContext& scan;
  // Whether the watch of a node is its own. Called from any worker.
  std::function<bool(const DirectoryNode&)> is_watched;
  // When more directories than this are not as they were, the rest is not looked at.
  size_t most_stale = SIZE_MAX;
  // Empty: everything is looked at. A part is looked at again and again: it finds no links, and
  // nothing of directories that are not on disk. kNone holds for all that is below. Called from any
  // worker.
  std::function<TreePart(const DirectoryNode&)> part = {};
};

// A file and its stat, asked for after `at`.
struct SeenFile {
  std::string path;
  FileStat stat;
  Timestamp at;
};

struct Verified {
  // Without watched, unwatched.
  ScanFindings findings;
  // Stale directories, parents first. States of their direct entries are unwritten; of a directory
  // that was replaced or is gone, of the whole subtree.
  std::vector<std::string> stale;
  bool given_up = false;  // too many of them, or cancelled
  // Of a part: the .gitattributes in it, and the entries that can be the destination of a rename.
  std::vector<SeenFile> attribute_files;
  std::vector<uint32_t> destinations;
};

// `root` is `top`, already open; it may itself be stale.
Verified verify_tree(const VerifyContext& context, const DirectoryNode& top, Directory root);

}  // namespace resident
