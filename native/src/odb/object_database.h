// ObjectDatabase: reads objects by id from the packs and loose files of a repository and its
// alternates.
//
// Where an object is looked for, as in git: all packs, then loose files, and, after a miss, once
// more after listing the pack directories anew, because a repack may have moved it meanwhile. A
// damaged copy is passed over when there is another one. Multi-pack-indexes and commit-graphs are
// not needed for it: git keeps the index of every pack, and every commit. But git believes them, so
// that an object of which they say otherwise is git's to read (kUnsupported). What stands in for an
// object (refs/replace) is told by the caller; grafts are the caller's affair. Like git, reading
// does not verify ids; verify() does.
//
// Threads: all members may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "fs/file_stat.h"
#include "hash/object_id.h"
#include "object/commit.h"
#include "odb/delta_base_cache.h"
#include "odb/object.h"
#include "odb/object_stores.h"
#include "odb/pack.h"

namespace resident {

class ReachabilityBitmaps;

class ObjectDatabase {
 public:
  struct Options {
    HashAlgorithm algorithm = HashAlgorithm::kSha1;
    size_t delta_base_cache_bytes = size_t{16} << 20;
    // Larger objects are kUnsupported, so that no header makes us take that much memory. The
    // default is git's core.bigFileThreshold.
    uint64_t max_object_bytes = uint64_t{512} << 20;
    // The value of GIT_ALTERNATE_OBJECT_DIRECTORIES, empty if unset.
    std::string alternate_directories = {};
  };

  // `objects_dir` is absolute. Fails where it is no readable directory; damaged packs in it are
  // problems().
  static Result<std::unique_ptr<ObjectDatabase>> open(const std::string& objects_dir,
                                                      const Options& options);
  ~ObjectDatabase();

  HashAlgorithm algorithm() const { return options_.algorithm; }

  // kNotFound where the object is nowhere; kCorrupt where every copy is damaged; kUnsupported where
  // it is over the size limit.
  Result<Object> read(const ObjectId& id);
  // Type and size; where possible without inflating the content.
  Result<ObjectInfo> read_info(const ObjectId& id);
  bool contains(const ObjectId& id);

  // The content of an object of that type; kCorrupt where it is of another one.
  Result<std::string> read_blob(const ObjectId& id) { return read_typed(id, ObjectType::kBlob); }
  Result<std::string> read_tree(const ObjectId& id) { return read_typed(id, ObjectType::kTree); }
  Result<std::string> read_commit(const ObjectId& id) {
    return read_typed(id, ObjectType::kCommit);
  }
  // The commit itself, or the one that a tag, or a tag of a tag, leads to.
  Result<ObjectId> peel_to_commit(const ObjectId& id);
  // The tree of a commit, or of the commit that a tag leads to. kUnsupported as
  // read_commit_header().
  Result<ObjectId> tree_of_commit(const ObjectId& id);
  // kUnsupported where the commit-graph says otherwise of it.
  Result<CommitHeader> read_commit_header(const ObjectId& id);

  // Where objects are looked for, as last listed.
  struct Places {
    std::vector<std::shared_ptr<const Pack>> packs;
    std::vector<std::string> directories;  // the repository's own first
    // A multi-pack index names packs that are not there, and has objects that nothing else has.
    bool covers_absent_packs = false;
  };
  Places places() const;

  // From now on everything that is read is read with these in the place of others, as git does it
  // for refs/replace. Not while other threads read.
  using Replacements = std::unordered_map<ObjectId, ObjectId>;
  void set_replacements(Replacements replacements) { replacements_ = std::move(replacements); }
  bool has_replacements() const { return !replacements_.empty(); }
  bool is_replaced(const ObjectId& id) const { return replacements_.contains(id); }

  // Which of its aids git uses; all of them until this is called. Not while other threads read.
  void use(const ObjectAids& aids);

  // Reads the object itself and computes its id anew: kCorrupt where it is another one.
  Result<void> verify(const ObjectId& id);

  // Lists packs, alternates and aids anew where a directory or one of the aids changed since they
  // were last listed. True where an aid is another one: then what was read before may be git's to
  // read. It lets go of packs that a repack removed.
  bool refresh();
  // What refresh() looks at: files, existing or not, and directories, with a '/' at their end.
  std::vector<std::string> listed_files() const;
  // The one that git would use; null where there is none.
  std::shared_ptr<const CommitGraph> commit_graph() const;
  // Null where there are none. The first call after a listing opens them.
  std::shared_ptr<const ReachabilityBitmaps> bitmaps() EXCLUDES(mutex_);

  // What is wrong with packs, alternates and aids that were passed over when they were last listed.
  std::vector<Error> problems() const;

 private:
  ObjectDatabase(std::string objects_dir, const Options& options);

  struct Peeled {
    ObjectId commit;
    std::string content;
  };

  Result<CommitHeader> parse(const Peeled& commit) const;

  // What stands in for the object: kUnsupported where that goes on for longer than git follows.
  Result<ObjectId> replaced(const ObjectId& id) const;
  Result<Object> read_itself(const ObjectId& id);
  Result<Peeled> peel(const ObjectId& id);
  Result<std::string> read_typed(const ObjectId& id, ObjectType type);
  std::shared_ptr<const ObjectStores> stores() const EXCLUDES(mutex_);
  std::shared_ptr<const ObjectStores> rescan() EXCLUDES(mutex_);
  // An object outside the packs of `passed_over`, all of which hold damaged copies of something.
  Result<Object> read_elsewhere(const ObjectStores& stores, const ObjectId& id,
                                std::vector<const Pack*> passed_over);

  template <typename T, typename FromPack, typename FromLoose>
  Result<T> search(const ObjectStores& stores, const ObjectId& id, FromPack from_pack,
                   FromLoose from_loose);
  template <typename T, typename FromPack, typename FromLoose>
  Result<T> find(const ObjectId& id, FromPack from_pack, FromLoose from_loose);

  const std::string objects_dir_;
  const Options options_;
  const ObjectId empty_tree_;

  Replacements replacements_;
  ObjectAids aids_;
  DeltaBaseCache cache_;
  std::atomic<size_t> likely_pack_ = 0;  // the pack that had the last object found; only a hint

  mutable Mutex mutex_;
  std::shared_ptr<const ObjectStores> stores_ GUARDED_BY(mutex_);
  bool aids_differ_ GUARDED_BY(mutex_) = false;                        // since refresh() told it
  std::shared_ptr<const ObjectStores> bitmaps_of_ GUARDED_BY(mutex_);  // null: not looked for
  std::shared_ptr<const ReachabilityBitmaps> bitmaps_ GUARDED_BY(mutex_);
};

}  // namespace resident
