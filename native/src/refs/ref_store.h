// RefStore: HEAD and the other refs of a worktree, with their logs, in any storage format.
//
// Each worktree has its own HEAD and refs/{bisect,worktree,rewritten}. All other refs are shared.
//
// Threads: any thread may call all members. Exception: call use() only while no other call runs and
// no Reading exists.
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
  // The ref that HEAD finally points to, also through other symbolic refs. Empty if detached.
  std::string ref;
  // nullopt: unborn branch.
  std::optional<ObjectId> id;
  friend bool operator==(const Head&, const Head&) = default;
};

class RefStore {
 public:
  // Both directories are absolute. They differ only in a linked worktree. `fs` must outlive the
  // store.
  RefStore(std::string git_dir, std::string common_dir, HashAlgorithm algorithm, FileSystem& fs,
           RefStorage storage = RefStorage::kFiles);

  // While a Reading exists, all calls see the state of one moment, not before the Reading began.
  // Reads of reftables are then cheaper, because the tables are checked once. Use it only if you
  // record the files before and compare them after: the comparison shows later changes.
  class Reading {
   public:
    explicit Reading(RefStore& refs) : backend_(*refs.backend_) { backend_.begin_reading(); }
    ~Reading() { backend_.end_reading(); }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    RefBackend& backend_;
  };

  // Sets the storage format. True if it has changed.
  bool use(RefStorage storage);

  // Each call returns the current state, except during a Reading.
  //
  // The state of HEAD. Errors:
  // - kNotFound: HEAD is missing.
  // - kCorrupt: HEAD or a ref on its way has neither an id nor a ref name, or the refs form a
  //   cycle. The message names the place.
  // - kUnsupported: only git can interpret the damage.
  Result<Head> head();

  // The id that a ref points to, through up to five symbolic refs. Returns nullopt if the ref, or
  // the last ref on its way, does not exist or has an invalid name. Errors: as head().
  Result<std::optional<ObjectId>> resolve(const std::string& full_name);

  // True if the ref resolves to an id. Damaged refs do not exist, as in git's own lookups.
  bool exists(const std::string& full_name);

  // True if the name has any content, even a damaged or dangling ref.
  bool is_there(const std::string& full_name);

  // Looks up a full name, like git does for each meaning of a short name. nullopt: no such ref.
  // Errors: as head(), and kCorrupt if symbolic refs point to a missing ref. git skips such refs
  // and warns of them.
  struct Found {
    std::string name;  // name of the last ref on the way
    ObjectId id;
  };
  Result<std::optional<Found>> look_up(const std::string& full_name);

  struct Listed {
    std::string name;
    ObjectId id;
    // The object that the tag object `id` finally points to, if it is stored beside the ref. The
    // tag then need not be read.
    std::optional<ObjectId> peeled;
  };
  // All refs below `prefix` with their final ids, sorted by name. The prefix ends in a slash and is
  // shared by all worktrees. Like git's own lists, it skips damaged refs, badly named refs and refs
  // without an id. git prints at most a warning for them.
  Result<std::vector<Listed>> list_below(const std::string& prefix);
  // The same, but fails with kCorrupt if such a ref exists.
  Result<std::map<std::string, ObjectId>> refs_below(const std::string& prefix);

  // Visits the entries of the ref's own log, newest first, until `visit` returns false. A missing
  // log has no entries.
  Result<void> visit_log_backwards(const std::string& full_name, const ReflogVisitor& visit);

  // The files whose stat decides the results of resolve() and is_there(). For "HEAD", the files
  // that decide head(). Some may be missing.
  std::vector<std::string> files_of(const std::string& full_name);
  // The same for list_below() and refs_below(). A path that ends in a slash is a directory whose
  // entries count. The list includes the targets of symbolic refs.
  //
  // For more than a hundred loose refs, it has only their directories. These show all changes by
  // git, because git replaces the file of a ref. They do not show that another program writes into
  // a file.
  std::vector<std::string> files_below(const std::string& prefix);
  // The same as files_of() for visit_log_backwards().
  std::vector<std::string> log_files_of(const std::string& full_name);

 private:
  struct Resolved {
    std::string name;  // name of the last ref
    int steps = 0;     // number of symbolic refs on the way
    std::optional<ObjectId> id;
  };

  enum class Broken : uint8_t { kPassedOver, kRefused };
  void make_backend();
  Result<std::vector<Listed>> list_below(const std::string& prefix, Broken broken);
  // Follows symbolic refs. Adds the names on the way to `names` unless it is null.
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
