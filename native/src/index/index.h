// Index: git's index file, decoded once and grouped by directory.
//
// Scanning, watching and events work by directory, and entries are stored in the same way:
//
//   directories()  preorder; [0] is the root and always exists. The first child of d is d + 1, the
//     next is subtree_end of that child, and so on below subtree_end of d. Siblings are in git's
//     order: sorted by name as if it ended in '/'.
//   entries()      the entries of a directory are contiguous, sorted by name bytes, then stage. The
//     entries of a whole subtree are contiguous too.
//
// An entry costs 48 bytes, its id (20 or 32 bytes) and the bytes of its last path component. All
// entries together need only a few allocations. Nothing refers to the file afterwards.
//
// A name may be both an entry and a directory: a file/directory conflict leaves "a" and "a/b" side
// by side at different stages.
//
// Format and rules: git's Documentation/gitformat-index.txt and read-cache.c.
//
// Threads: any number of readers, for which it is immutable. Call refresh() only while there are no
// readers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "fs/file_stat.h"
#include "hash/keyed_hash.h"
#include "hash/object_id.h"
#include "index/bulk_array.h"
#include "index/cache_tree.h"
#include "index/entry_moves.h"
#include "index/fsmonitor_marks.h"

namespace resident {

// Stat data in the form of the index: every field is cut to 32 bits.
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
  uint16_t mode = 0;  // git's modes: 0100644 0100755 0120000 0160000
  uint16_t flags = 0;
  uint32_t name_offset = 0;  // last path component; read it by Index::name
  uint16_t name_length = 0;

  int stage() const { return flags & kStageMask; }
  bool is_gitlink() const { return mode == kGitlinkMode; }
  bool assume_valid() const { return (flags & kAssumeValid) != 0; }
  bool skip_worktree() const { return (flags & kSkipWorktree) != 0; }
  bool intent_to_add() const { return (flags & kIntentToAdd) != 0; }
};

// Racily clean: a file with this mtime may have changed within the second in which the index was
// written. Its stat data then prove nothing.
inline bool is_racy(uint32_t mtime_seconds, Timestamp index_mtime) {
  return index_mtime.seconds != 0 && static_cast<uint32_t>(index_mtime.seconds) <= mtime_seconds;
}

// A submodule's stat data are never used.
inline bool is_racy(const IndexEntry& entry, Timestamp index_mtime) {
  return !entry.is_gitlink() && is_racy(entry.stat.mtime_seconds, index_mtime);
}

static_assert(sizeof(IndexEntry) == 48);

inline constexpr uint32_t kNoDirectory = UINT32_MAX;

struct IndexDirectory {
  uint32_t parent = kNoDirectory;
  uint32_t name_offset = 0;  // last path component; read it by Index::directory_name
  uint32_t name_length = 0;
  uint32_t first_entry = 0;  // entries directly in this directory
  uint32_t entry_count = 0;
  uint32_t subtree_end = 0;                  // one past the last directory below this one
  uint32_t cache_tree = CacheTree::kNoNode;  // position in cache_tree()->nodes()
};

// Entries of one directory that are contiguous in the file too.
struct IndexRun {
  uint32_t directory;
  uint32_t first;
  uint32_t count;
  uint32_t offset;  // in bytes from the start of the file
  // Set by refresh(), unset after load(): the latest mtime of the run's entries, and the
  // fingerprint of their bytes in the file.
  uint32_t newest_mtime = 0;
  Fingerprint fingerprint = kNoFingerprint;
};

// With this many entries, a second thread is worth its start.
inline constexpr size_t kManyIndexEntries = 1 << 15;

class Index {
 public:
  struct LoadOptions {
    HashAlgorithm algorithm = HashAlgorithm::kSha1;
    // False: the trailing checksum is not verified. A checksum of zeros (index.skipHash) is always
    // accepted.
    bool verify_checksum = true;
    // First place to look for the shared file of a split index. If empty, or without that file, the
    // directory of the index is searched.
    std::string git_dir = {};
  };

  // A missing file is an empty index whose stat().kind is kUnknown. Errors: kCorrupt if the file
  // violates the format (the message has the byte), kUnsupported if only git can answer. Examples
  // for kUnsupported: an unknown mandatory extension or flag, a missing shared index file, a cache
  // tree with wrong entry counts.
  static Result<std::shared_ptr<Index>> load(const std::string& path, const LoadOptions& options);
  struct Refreshed {
    // Positions of entries that changed, or that are racily clean by the mtime of only one of the
    // two files. Ascending.
    std::vector<uint32_t> entries;
    // Number of entries that were compared. The others are in runs with known bytes.
    size_t compared = 0;
    // `entries` has the added entries too. Removed entries are listed by their old place.
    struct Removed {
      uint32_t directory;
      std::string name;
    };
    EntryMoves moves;
    std::vector<Removed> removed;  // in the order of moves.removed()

    bool empty() const { return entries.empty() && moves.empty(); }
  };
  // Updates this index in place to the result of load(). It needs the same paths and stages, or,
  // with `may_move`, the same directories. Neither index may be sparse or split. nullopt: the index
  // differs too much or cannot be read, and nothing changed.
  std::optional<Refreshed> refresh(const std::string& path, const LoadOptions& options,
                                   bool may_move = false);

  std::span<const IndexEntry> entries() const { return entries_; }
  std::span<const IndexDirectory> directories() const { return directories_; }

  std::string_view name(const IndexEntry& entry) const {
    return {names_.data() + entry.name_offset, entry.name_length};
  }
  // `entry` must be an element of entries(), not a copy.
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
  // The positions [first, second) of every entry at or below `directory`.
  std::pair<uint32_t, uint32_t> subtree_entries(uint32_t directory) const;

  // `path` is "" or "a/b", without a slash at the end.
  std::optional<uint32_t> find_directory(std::string_view path) const;
  std::optional<uint32_t> find_child(uint32_t directory, std::string_view name) const;
  // Tries `likely` first, which may be any number. Searches only if it is wrong.
  std::optional<uint32_t> find_child(uint32_t directory, std::string_view name,
                                     uint32_t likely) const;
  // The first entry with that name. It has the lowest stage.
  std::optional<uint32_t> find_entry(uint32_t directory, std::string_view name) const;
  std::optional<uint32_t> find_path(std::string_view path) const;
  // One past the last stage of the path of `entry`. The next entry can have the same name in
  // another directory.
  uint32_t end_of_path(uint32_t entry) const;
  // The same for a caller that knows the end of the directory's entries.
  uint32_t end_of_path(uint32_t entry, uint32_t directory_end) const {
    uint32_t end = entry + 1;
    // Stage 0 is the only stage of its path.
    if (entries_[entry].stage() == 0) return end;
    while (end < directory_end && name(entries_[end]) == name(entries_[entry])) ++end;
    return end;
  }

  // True if the file has the "sdir" extension, and none of its sparse directories was expanded.
  bool is_sparse() const { return is_sparse_; }
  // The unexpanded directories of a sparse index, in preorder. Each has no entries and no children.
  // It represents all files of its tree, each of them skip-worktree. See
  // expand_sparse_directories().
  std::span<const uint32_t> sparse_directories() const { return sparse_directories_; }
  // The sparse directories at or below `directory`.
  std::span<const uint32_t> sparse_directories_in(uint32_t directory) const;
  // The id of a sparse directory's tree; nullopt for any other directory.
  std::optional<ObjectId> sparse_tree(uint32_t directory) const;
  // The tree of the sparse directory that contains `path`, and the path within that tree. nullopt:
  // `path` is in no sparse directory.
  struct InSparseTree {
    ObjectId tree;
    std::string_view path;
  };
  std::optional<InSparseTree> in_sparse_tree(std::string_view path) const;

  // Positions of submodules of any stage, ascending.
  std::span<const uint32_t> gitlinks() const { return gitlinks_; }
  // False: no entry is marked intent-to-add.
  bool may_intend_to_add() const { return may_intend_to_add_; }

  // nullptr if the file has no TREE extension or a malformed one.
  const CacheTree* cache_tree() const { return cache_tree_ ? &*cache_tree_ : nullptr; }

  // The shared file of a split index; empty for other indexes.
  const std::string& shared_path() const { return shared_path_; }
  // git's text for the place where its untracked cache was made; empty without a cache.
  const std::string& untracked_cache_place() const { return untracked_cache_place_; }
  // The token of git's file system monitor. Empty if there is none, or if its dirty entries are
  // unknown. Always empty for a split or sparse index.
  const std::string& fsmonitor_token() const { return fsmonitor_.token; }
  // Whether git checks the entry whatever its monitor says, when it reads this index.
  bool is_fsmonitor_dirty(uint32_t entry) const;
  // Stat of the file that was decoded; kUnknown for a missing file or after decode().
  const FileStat& stat() const { return stat_; }
  // The time for the racily clean rule. Zero for a missing file.
  Timestamp mtime() const { return stat_.mtime; }
  HashAlgorithm algorithm() const { return algorithm_; }
  uint32_t version() const { return version_; }  // 2, 3 or 4; 0 for a missing file
  // The stored checksum: zeros with index.skipHash, null for a missing file.
  const ObjectId& checksum() const { return checksum_; }

 private:
  friend class IndexBuilder;
  friend class IndexRefresh;
  friend class SparseExpander;
  Index() = default;

  BulkArray<IndexEntry> entries_;
  BulkArray<uint8_t> ids_;
  std::vector<IndexDirectory> directories_;
  BulkArray<char> names_;
  size_t unused_names_ = 0;     // bytes in names_ without an entry
  std::vector<IndexRun> runs_;  // in the order of the file
  std::vector<uint32_t> gitlinks_;
  bool may_intend_to_add_ = false;
  bool is_sparse_ = false;
  std::vector<uint32_t> sparse_directories_;
  std::vector<uint8_t> sparse_ids_;  // in the order of sparse_directories_
  std::optional<CacheTree> cache_tree_;
  std::string shared_path_;
  std::string untracked_cache_place_;
  FsmonitorMarks fsmonitor_;  // positions in entries_
  FileStat stat_;
  HashAlgorithm algorithm_ = HashAlgorithm::kSha1;
  uint32_t version_ = 0;
  ObjectId checksum_;
};

// Like Index::load(), from the bytes of a file. `path` is for messages only. `bytes` may be
// released after the call.
Result<std::shared_ptr<Index>> decode_index(Bytes bytes, const std::string& path,
                                            const Index::LoadOptions& options);

}  // namespace resident
