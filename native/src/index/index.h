// Index: git's index file, decoded once and grouped by directory.
//
// Scanning, watching and events are all per directory, so that is how entries are stored:
//
//   directories()  preorder, [0] is the root and always exists. The children of d are d + 1, then
//                  subtree_end of that child, and so on while smaller than subtree_end of d.
//                  Siblings are in git's order: by name as if it ended in '/'.
//   entries()      the entries of a directory are contiguous, sorted by name bytes, then stage; the
//                  entries of a whole subtree are contiguous too.
//
// A million entries cost 48 bytes each plus the id (20 or 32 bytes) plus the bytes of the last path
// component, in a handful of allocations. Nothing refers to the file afterwards.
//
// A name may be both an entry and a directory: a conflict between a file and a directory leaves "a"
// and "a/b" side by side at different stages.
//
// Format and rules: git's Documentation/gitformat-index.txt and read-cache.c.
//
// Threads: any number of readers, to whom it is immutable; refresh() while there are none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bulk_array.h"
#include "base/bytes.h"
#include "base/result.h"
#include "fs/file_stat.h"
#include "hash/keyed_hash.h"
#include "hash/object_id.h"
#include "index/cache_tree.h"
#include "index/entry_moves.h"
#include "index/fsmonitor_marks.h"

namespace resident {

class MappedFile;

// Stat data as the index keeps it: every field cut to 32 bits.
struct IndexStat {
  uint32_t ctime_seconds = 0;
  uint32_t ctime_nanoseconds = 0;
  uint32_t mtime_seconds = 0;
  uint32_t mtime_nanoseconds = 0;
  uint32_t device = 0;
  uint32_t inode = 0;
  uint32_t uid = 0;
  uint32_t gid = 0;
  uint32_t size = 0;
  friend bool operator==(const IndexStat&, const IndexStat&) = default;
};

struct IndexEntry {
  static constexpr uint16_t kGitlinkMode = 0160000;
  static constexpr uint16_t kStageMask = 3;
  static constexpr uint16_t kAssumeValid = 1 << 2;
  static constexpr uint16_t kSkipWorktree = 1 << 3;
  static constexpr uint16_t kIntentToAdd = 1 << 4;

  IndexStat stat;
  uint16_t mode = 0;  // as in git: 0100644 0100755 0120000 0160000
  uint16_t flags = 0;
  uint32_t name_offset = 0;  // the last path component; read it by Index::name
  uint16_t name_length = 0;

  int stage() const { return flags & kStageMask; }
  bool is_gitlink() const { return mode == kGitlinkMode; }
  bool assume_valid() const { return (flags & kAssumeValid) != 0; }
  bool skip_worktree() const { return (flags & kSkipWorktree) != 0; }
  bool intent_to_add() const { return (flags & kIntentToAdd) != 0; }
};

// Whether a file of this time could have been written after the index within the same second, so
// that its stat data say nothing.
inline bool is_racy(uint32_t mtime_seconds, Timestamp index_mtime) {
  return index_mtime.seconds != 0 && static_cast<uint32_t>(index_mtime.seconds) <= mtime_seconds;
}

// A submodule's stat data never say anything.
inline bool is_racy(const IndexEntry& entry, Timestamp index_mtime) {
  return !entry.is_gitlink() && is_racy(entry.stat.mtime_seconds, index_mtime);
}

inline constexpr uint32_t kNoDirectory = UINT32_MAX;

struct IndexDirectory {
  uint32_t parent = kNoDirectory;
  uint32_t name_offset = 0;  // the last path component; read it by Index::directory_name
  uint32_t name_length = 0;
  uint32_t first_entry = 0;  // of the entries directly in this directory
  uint32_t entry_count = 0;
  uint32_t subtree_end = 0;                  // one past the last directory below this one
  uint32_t cache_tree = CacheTree::kNoNode;  // position in cache_tree()->nodes()
};

// Entries of one directory that follow each other in the file too.
struct IndexRun {
  uint32_t directory;
  uint32_t first;
  uint32_t count;
  uint32_t offset;  // of the first, in the file
  // What a refresh learned of it, thus nothing before the first one: the latest mtime of its
  // entries, and the fingerprint of their bytes in the file.
  uint32_t newest_mtime = 0;
  Fingerprint fingerprint = kNoFingerprint;
};

// From so many entries on, a second thread is worth its start.
inline constexpr size_t kManyIndexEntries = 1 << 15;

class Index {
 public:
  struct LoadOptions {
    HashAlgorithm algorithm = HashAlgorithm::kSha1;
    // Off, the trailing checksum is not compared with the content. A checksum of zeros
    // (index.skipHash) is accepted either way.
    bool verify_checksum = true;
    // Where a split index finds its shared file; "" or not there: beside the index.
    std::string git_dir = {};
  };

  // A file that does not exist is an empty index whose stat().kind is kUnknown. Errors: kCorrupt
  // with the byte where the format is violated; kUnsupported for what only git can answer (a
  // mandatory extension or a flag that we do not know, a shared index file that is missing, a
  // cache-tree that counts other entries than there are).
  static Result<std::shared_ptr<Index>> load(const std::string& path, const LoadOptions& options);
  // `read` is the file then, for who lets go of it while others go on with the index.
  static Result<std::shared_ptr<Index>> load(const std::string& path, const LoadOptions& options,
                                             MappedFile& read);
  // `path` is for messages only. `bytes` may be released afterwards.
  static Result<std::shared_ptr<Index>> decode(Bytes bytes, const std::string& path,
                                               const LoadOptions& options);
  struct Refreshed {
    // The positions of the entries that are not what they were, or that are racily clean by the
    // time of one of the files only; ascending.
    std::vector<uint32_t> entries;
    // Entries that were looked at; the others are in runs whose bytes are known.
    size_t compared = 0;
    // Entries that came are among `entries` too, of those that went here is where they were.
    struct Removed {
      uint32_t directory;
      std::string name;
    };
    EntryMoves moves;
    std::vector<Removed> removed;  // in the order of moves.removed()

    bool empty() const { return entries.empty() && moves.empty(); }
  };
  // Becomes what load() would make of the file, where that has the same paths in the same stages,
  // or, with `may_move`, the same directories; and neither is sparse or split. nullopt where it is
  // another index or cannot be read: then nothing was changed.
  std::optional<Refreshed> refresh(const std::string& path, const LoadOptions& options,
                                   bool may_move = false);

  std::span<const IndexEntry> entries() const { return entries_; }
  std::span<const IndexDirectory> directories() const { return directories_; }

  std::string_view name(const IndexEntry& entry) const {
    return {names_.data() + entry.name_offset, entry.name_length};
  }
  // `entry` is an element of entries(), not a copy of one.
  uint32_t position(const IndexEntry& entry) const {
    return static_cast<uint32_t>(&entry - entries_.data());
  }
  ObjectId id(uint32_t entry) const { return ObjectId::from_bytes(id_bytes(entry)); }
  ObjectId id(const IndexEntry& entry) const { return id(position(entry)); }
  Bytes id_bytes(uint32_t entry) const {
    return Bytes(ids_).subspan(size_t{entry} * hash_size(algorithm_), hash_size(algorithm_));
  }
  // From the worktree's root.
  std::string path(uint32_t entry) const;
  std::string path(const IndexEntry& entry) const { return path(position(entry)); }

  uint32_t directory_of(uint32_t entry) const;
  std::string_view directory_name(uint32_t directory) const {
    const IndexDirectory& d = directories_[directory];
    return {names_.data() + d.name_offset, d.name_length};
  }
  // "" for the root, else "a/b".
  std::string directory_path(uint32_t directory) const;
  std::span<const IndexEntry> entries_of(uint32_t directory) const {
    const IndexDirectory& d = directories_[directory];
    return entries().subspan(d.first_entry, d.entry_count);
  }
  // Fetch into the cache what is read soon: the entries of a directory; then, once these came,
  // their names.
  void prefetch_entries(uint32_t directory) const;
  void prefetch_names(uint32_t directory) const;
  // The positions [first, second) of every entry at or below `directory`.
  std::pair<uint32_t, uint32_t> subtree_entries(uint32_t directory) const;

  // `path` is "" or "a/b", without a slash at the end.
  std::optional<uint32_t> find_directory(std::string_view path) const;
  std::optional<uint32_t> find_child(uint32_t directory, std::string_view name) const;
  // Without a search where it is `likely`, which may be any number.
  std::optional<uint32_t> find_child(uint32_t directory, std::string_view name,
                                     uint32_t likely) const;
  // The first entry of that name, thus the one with the lowest stage.
  std::optional<uint32_t> find_entry(uint32_t directory, std::string_view name) const;
  std::optional<uint32_t> find_path(std::string_view path) const;
  // One past the last stage of the path of `entry`. What follows can have the same name, in another
  // directory.
  uint32_t end_of_path(uint32_t entry) const;
  // The same for who knows the end of the directory's entries.
  uint32_t end_of_path(uint32_t entry, uint32_t directory_end) const {
    // Stage 0 stands alone.
    return entries_[entry].stage() == 0 ? entry + 1 : end_of_stages(entry, directory_end);
  }

  // Whether the file may hold sparse directories (it says so), and none of them was expanded.
  bool is_sparse() const { return is_sparse_; }
  // The directories of a sparse index that are not expanded, in preorder. Such a one has no entries
  // and no children: it stands for all that its tree holds, every file of it skip-worktree. See
  // expand_sparse_directories().
  std::span<const uint32_t> sparse_directories() const { return sparse_directories_; }
  // Those that are `directory` or lie below it.
  std::span<const uint32_t> sparse_directories_in(uint32_t directory) const;
  // The id of its tree; nullopt for every other directory.
  std::optional<ObjectId> sparse_tree(uint32_t directory) const;
  // The tree of the one that `path` lies in, and the path from there; nullopt where it lies in
  // none.
  struct InSparseTree {
    ObjectId tree;
    std::string_view path;
  };
  std::optional<InSparseTree> in_sparse_tree(std::string_view path) const;

  // The positions of submodules, of any stage, ascending.
  std::span<const uint32_t> gitlinks() const { return gitlinks_; }
  // False: no entry is marked intent-to-add.
  bool may_intend_to_add() const { return may_intend_to_add_; }

  // nullptr where the file has no TREE extension, or one that is malformed.
  const CacheTree* cache_tree() const { return cache_tree_ ? &*cache_tree_ : nullptr; }

  // The shared file of a split index; empty for every other one.
  const std::string& shared_path() const { return shared_path_; }
  // Where git's untracked cache in it was made, in git's words; empty where it has none.
  const std::string& untracked_cache_place() const { return untracked_cache_place_; }
  // The token of git's file system monitor in it; empty where that, or which entries the marks are
  // of, is not known: also of a split or a sparse index.
  const std::string& fsmonitor_token() const { return fsmonitor_.token; }
  // Whether git, when it reads this index, looks at the entry whatever its monitor tells.
  bool is_fsmonitor_dirty(uint32_t entry) const;
  // Of the very file that was decoded; kUnknown where there was none or by decode().
  const FileStat& stat() const { return stat_; }
  // What the racily clean rule compares with. Zero for a missing file.
  Timestamp mtime() const { return stat_.mtime; }
  HashAlgorithm algorithm() const { return algorithm_; }
  uint32_t version() const { return version_; }  // 2, 3 or 4; 0 for a missing file
  // As stored, thus zeros with index.skipHash; null for a missing file.
  const ObjectId& checksum() const { return checksum_; }

  // Bytes of heap held.
  size_t memory_use() const;

 private:
  friend class IndexBuilder;
  friend class IndexRefresh;
  friend class SparseExpander;
  Index() = default;
  std::optional<CacheTree> parse_cache_tree(Bytes extension) const;
  void set_cache_tree(std::optional<CacheTree> tree);
  void find_gitlinks();
  // Positions are those in the file, whose runs are known.
  void set_fsmonitor_marks(FsmonitorMarks marks);
  uint32_t end_of_stages(uint32_t entry, uint32_t directory_end) const;

  BulkArray<IndexEntry> entries_;
  BulkArray<uint8_t> ids_;
  std::vector<IndexDirectory> directories_;
  BulkArray<char> names_;
  size_t unused_names_ = 0;     // bytes of them that no entry has any more
  std::vector<IndexRun> runs_;  // in the order of the file that was read
  std::vector<uint32_t> gitlinks_;
  bool may_intend_to_add_ = false;
  bool is_sparse_ = false;
  std::vector<uint32_t> sparse_directories_;
  std::vector<uint8_t> sparse_ids_;  // in the same order
  std::optional<CacheTree> cache_tree_;
  std::string shared_path_;
  std::string untracked_cache_place_;
  FsmonitorMarks fsmonitor_;  // positions in entries_
  FileStat stat_;
  HashAlgorithm algorithm_ = HashAlgorithm::kSha1;
  uint32_t version_ = 0;
  ObjectId checksum_;
};

}  // namespace resident
