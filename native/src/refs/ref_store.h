// RefStore: reads HEAD and other refs of one worktree from loose files and packed-refs.
//
// A ref is a loose file "<hex id>" or "ref: <name of another ref>", or else a line of packed-refs.
// HEAD and refs/{bisect,worktree,rewritten} are each worktree's own and lie in its git directory;
// all others lie in the common directory. Source: git's Documentation/gitrepository-layout.txt and
// git-worktree.txt, "REFS". Refs kept as reftables are kUnsupported.
//
// Nothing is remembered but the mapping of packed-refs, by its stat: each call answers for the
// files as they are.
//
// Threads: all members may be called from any thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "fs/file_system.h"
#include "hash/object_id.h"
#include "refs/packed_refs.h"

namespace resident {

struct Head {
  bool detached = false;
  // The ref that HEAD leads to, through other symbolic refs too; empty when detached.
  std::string ref;
  // Nullopt on an unborn branch.
  std::optional<ObjectId> id;
  friend bool operator==(const Head&, const Head&) = default;
};

class RefStore {
 public:
  // Both directories are absolute and the same but in a linked worktree. `fs` must outlive the
  // store.
  RefStore(std::string git_dir, std::string common_dir, HashAlgorithm algorithm, FileSystem& fs);

  // kNotFound where there is no HEAD, kCorrupt where HEAD or a ref that it leads to is neither an
  // id nor the name of a ref or where they run in a circle; the message names the file.
  Result<Head> head();

  // What a ref leads to, through up to five symbolic refs: nullopt where it or the last of them
  // does not exist or has no valid name. Errors as for head().
  Result<std::optional<ObjectId>> resolve(const std::string& full_name);

  // Whether it leads to an id; damaged refs do not exist, as for git's own look-ups.
  bool exists(const std::string& full_name);

  // As git looks up what a name may mean: nullopt where there is no such ref. Errors as for head(),
  // and kCorrupt where symbolic refs lead to one that does not exist: git passes over these, and
  // warns of them.
  struct Found {
    std::string name;  // of the last ref on the way
    ObjectId id;
  };
  Result<std::optional<Found>> look_up(const std::string& full_name);

  // Every ref below `prefix`, which ends in a slash and is shared by all worktrees, and the id that
  // it leads to. kCorrupt where one leads to none.
  Result<std::map<std::string, ObjectId>> refs_below(const std::string& prefix);

  // The files whose stat decides what resolve() says, existing or not: the loose files along the
  // way, and packed-refs. For "HEAD" those that decide head().
  std::vector<std::string> files_of(const std::string& full_name);

 private:
  // One step: what the ref itself holds.
  struct Raw {
    std::optional<ObjectId> id;
    std::string target;  // of a symbolic ref
    bool missing() const { return !id && target.empty(); }
  };
  struct Resolved {
    std::string name;  // of the last ref
    int steps = 0;     // symbolic refs on the way
    std::optional<ObjectId> id;
  };

  std::string path_of(std::string_view name) const;
  Result<Raw> read_raw(const std::string& name);
  Result<Raw> read_packed(const std::string& name);
  Result<std::shared_ptr<const PackedRefs>> packed_refs() EXCLUDES(mutex_);
  Result<std::string> read_link(const std::string& path);
  // Adds the files that it looked at to `files` unless that is null.
  Result<Resolved> follow(const std::string& name, std::vector<std::string>* files);

  const std::string git_dir_;
  const std::string common_dir_;
  const HashAlgorithm algorithm_;
  FileSystem& fs_;

  Mutex mutex_;
  std::shared_ptr<const PackedRefs> packed_ GUARDED_BY(mutex_);  // null: none, or not looked yet
};

}  // namespace resident
