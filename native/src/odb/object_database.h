// ObjectDatabase: reads objects by id from a repository and its alternates, in packs and loose
// files.
//
// Search order, as in git: all packs, then loose files. After a miss, the pack directories are
// listed again and the search is repeated once. A repack may have moved the object. A damaged copy
// is skipped if another copy exists.
//
// Multi-pack-indexes and commit-graphs are not needed: git keeps the index of every pack, and every
// commit object. But git trusts them. If they contradict an object, only git can read it
// (kUnsupported).
//
// The caller provides replacements (refs/replace) and handles grafts. Like git, reading does not
// verify ids; verify() does.
//
// Threads: any thread may call all members. Exceptions are stated at the members.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "fs/file_system.h"
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
    // Limit of an object's size. Larger objects are kUnsupported, because a header could otherwise
    // demand any amount of memory. The default is git's core.bigFileThreshold.
    uint64_t max_object_bytes = uint64_t{512} << 20;
    // The value of GIT_ALTERNATE_OBJECT_DIRECTORIES; empty: unset.
    std::string alternate_directories = {};
  };

  // `fs` must outlive the result. `objects_dir` is absolute. Fails if it is not a readable
  // directory. Damaged packs are listed in problems().
  static Result<std::unique_ptr<ObjectDatabase>> open(FileSystem& fs,
                                                      const std::string& objects_dir,
                                                      const Options& options);
  ~ObjectDatabase();

  FileSystem& fs() const { return fs_; }
  HashAlgorithm algorithm() const { return options_.algorithm; }

  // kNotFound: no copy exists. kCorrupt: every copy is damaged. kUnsupported: the object is over
  // the size limit, or only git can read it.
  Result<Object> read(const ObjectId& id);
  // Type and size, if possible without inflating the content.
  Result<ObjectInfo> read_info(const ObjectId& id);
  bool contains(const ObjectId& id);

  // The content of an object of that type. kCorrupt: the object has another type.
  Result<std::string> read_blob(const ObjectId& id) { return read_typed(id, ObjectType::kBlob); }
  Result<std::string> read_tree(const ObjectId& id) { return read_typed(id, ObjectType::kTree); }
  Result<std::string> read_commit(const ObjectId& id) {
    return read_typed(id, ObjectType::kCommit);
  }
  // Returns `id` if it is a commit. For a tag, returns the commit that it points to, also through
  // other tags.
  Result<ObjectId> peel_to_commit(const ObjectId& id);
  // The tree of a commit, or of the commit that a tag points to. kUnsupported: as
  // read_commit_header().
  Result<ObjectId> tree_of_commit(const ObjectId& id);
  // kUnsupported: the commit-graph contradicts the commit.
  Result<CommitHeader> read_commit_header(const ObjectId& id);

  // The packs and directories found by the last listing.
  struct Places {
    std::vector<std::shared_ptr<const Pack>> packs;
    std::vector<std::string> directories;  // the repository's own first
    // A multi-pack-index names missing packs. It may list objects that exist nowhere else.
    bool covers_absent_packs = false;
  };
  Places places() const;

  // Sets the replacements of objects (refs/replace). All later reads use them, like git. Do not
  // call this while other threads read.
  using Replacements = std::unordered_map<ObjectId, ObjectId>;
  void set_replacements(Replacements replacements) { replacements_ = std::move(replacements); }
  bool has_replacements() const { return !replacements_.empty(); }
  bool is_replaced(const ObjectId& id) const { return replacements_.contains(id); }

  // Sets the aids that git uses. By default it uses all. Do not call this while other threads read.
  void use(const ObjectAids& aids);

  // Reads the object, without replacement, and computes its id. kCorrupt: the id differs.
  Result<void> verify(const ObjectId& id);

  // Lists packs, alternates and aids again if a directory or an aid has changed since the last
  // listing. Releases packs that a repack removed. True if an aid has changed since the last call.
  // Objects that were read before may then be kUnsupported.
  bool refresh();
  // The paths that refresh() checks. Directories end in '/'. Files may be missing.
  std::vector<std::string> listed_files() const;
  // The graph that git would use. Null: none.
  std::shared_ptr<const CommitGraph> commit_graph() const;
  // Null: none. The first call after a listing opens them.
  std::shared_ptr<const ReachabilityBitmaps> bitmaps() EXCLUDES(mutex_);

  // Problems of packs, alternates and aids that the last listing skipped.
  std::vector<Error> problems() const;

 private:
  ObjectDatabase(FileSystem& fs, std::string objects_dir, const Options& options);

  struct Peeled {
    ObjectId commit;
    std::string content;
  };

  Result<CommitHeader> parse(const Peeled& commit) const;

  // Follows the replacements of `id`. kUnsupported: the chain is longer than git follows.
  Result<ObjectId> replaced(const ObjectId& id) const;
  Result<Object> read_itself(const ObjectId& id);
  Result<Peeled> peel(const ObjectId& id);
  Result<std::string> read_typed(const ObjectId& id, ObjectType type);
  std::shared_ptr<const ObjectStores> stores() const EXCLUDES(mutex_);
  std::shared_ptr<const ObjectStores> rescan() EXCLUDES(mutex_);
  // Reads an object from a place outside the packs in `passed_over`. Each of these has a damaged
  // copy.
  Result<Object> read_elsewhere(const ObjectStores& stores, const ObjectId& id,
                                std::vector<const Pack*> passed_over);

  template <typename T, typename FromPack, typename FromLoose>
  Result<T> search(const ObjectStores& stores, const ObjectId& id, FromPack from_pack,
                   FromLoose from_loose);
  template <typename T, typename FromPack, typename FromLoose>
  Result<T> find(const ObjectId& id, FromPack from_pack, FromLoose from_loose);

  FileSystem& fs_;
  const std::string objects_dir_;
  const Options options_;
  const ObjectId empty_tree_;

  Replacements replacements_;
  ObjectAids aids_;
  DeltaBaseCache cache_;
  std::atomic<size_t> likely_pack_ = 0;  // pack of the last object found; a hint

  mutable Mutex mutex_;
  std::shared_ptr<const ObjectStores> stores_ GUARDED_BY(mutex_);
  bool aids_differ_ GUARDED_BY(mutex_) = false;  // changed since the last refresh()
  std::shared_ptr<const ObjectStores> bitmaps_of_ GUARDED_BY(mutex_);  // null: not searched
  std::shared_ptr<const ReachabilityBitmaps> bitmaps_ GUARDED_BY(mutex_);
};

}  // namespace resident
