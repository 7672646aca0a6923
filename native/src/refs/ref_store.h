// RefStore: HEAD and other refs of one worktree, and their logs, however the repository keeps them.
//
// HEAD and refs/{bisect,worktree,rewritten} are each worktree's own; all others are shared.
//
// Threads: all members may be called from any thread, use() while nobody calls and there is no
// Reading.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"
#include "hash/object_id.h"
#include "refs/ref_backend.h"
#include "refs/ref_storage.h"
#include "refs/reflog.h"

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
  RefStore(std::string git_dir, std::string common_dir, HashAlgorithm algorithm, FileSystem& fs,
           RefStorage storage = RefStorage::kFiles);

  // While it lives, each call answers for one moment, no earlier than its beginning, and costs less
  // where refs are in tables: these are looked at once. For who records files before and compares
  // them after, which tells of another moment.
  class Reading {
   public:
    explicit Reading(RefStore& refs) : backend_(*refs.backend_) { backend_.begin_reading(); }
    ~Reading() { backend_.end_reading(); }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    RefBackend& backend_;
  };

  // From now on the refs are kept that way. Returns whether they were not.
  bool use(RefStorage storage);

  // Each call answers for the files as they are, but while there is a Reading.
  //
  // kNotFound where there is no HEAD; kCorrupt where HEAD or a ref that it leads to is neither an
  // id nor the name of a ref, or where they run in a circle; the message names the place.
  // kUnsupported where only git knows what the damage means.
  Result<Head> head();

  // What a ref leads to, through up to five symbolic refs: nullopt where it or the last of them
  // does not exist or has no valid name. Errors as for head().
  Result<std::optional<ObjectId>> resolve(const std::string& full_name);

  // Whether it leads to an id; damaged refs do not exist, as for git's own look-ups.
  bool exists(const std::string& full_name);

  // Whether there is anything under that name: a damaged ref, or one that leads nowhere, too.
  bool is_there(const std::string& full_name);

  // As git looks up what a name may mean: nullopt where there is no such ref. Errors as for head(),
  // and kCorrupt where symbolic refs lead to one that does not exist: git passes over these, and
  // warns of them.
  struct Found {
    std::string name;  // of the last ref on the way
    ObjectId id;
  };
  Result<std::optional<Found>> look_up(const std::string& full_name);

  struct Listed {
    std::string name;
    ObjectId id;
    // What the tag object `id` leads to in the end, where that is written beside the ref: nobody
    // has to read it.
    std::optional<ObjectId> peeled;
  };
  // Every ref below `prefix`, which ends in a slash and is shared by all worktrees, and the id that
  // it leads to, by name, but for those that git passes over in its own lists, with a warning at
  // most: damaged ones, badly named ones, and those that lead to no id.
  Result<std::vector<Listed>> list_below(const std::string& prefix);
  // The same for whom git passes over none: kCorrupt where there is such a one.
  Result<std::map<std::string, ObjectId>> refs_below(const std::string& prefix);

  // The entries of a ref's own log, the last one first, until `visit` returns false. A ref without
  // a log has none.
  Result<void> visit_log_backwards(const std::string& full_name, const ReflogVisitor& visit);

  // The files whose stat decides what resolve() and is_there() say, existing or not. For "HEAD"
  // those that decide head().
  std::vector<std::string> files_of(const std::string& full_name);
  // The same of list_below() and refs_below(). A directory has a slash at its end: its entries
  // count. What symbolic refs lead to is among them. Of more than a hundred loose refs only their
  // directories are: these tell of all that git does, which puts another file in a ref's place, and
  // not of what another program writes into one.
  std::vector<std::string> files_below(const std::string& prefix);
  // The same of visit_log_backwards().
  std::vector<std::string> log_files_of(const std::string& full_name);

 private:
  struct Resolved {
    std::string name;  // of the last ref
    int steps = 0;     // symbolic refs on the way
    std::optional<ObjectId> id;
  };

  enum class Broken : uint8_t { kPassedOver, kRefused };
  void make_backend();
  Result<std::vector<Listed>> list_below(const std::string& prefix, Broken broken);
  // Adds the names that it looked up to `names` unless that is null.
  Result<Resolved> follow(const std::string& name, std::vector<std::string>* names);
  Error corrupt_at(const std::string& name, std::string_view reason) const;

  const std::string git_dir_;
  const std::string common_dir_;
  const HashAlgorithm algorithm_;
  FileSystem& fs_;
  RefStorage storage_;
  std::unique_ptr<RefBackend> backend_;
};

}  // namespace resident
