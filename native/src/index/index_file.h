// IndexFile: the bytes of one index file, checked while they are read: header, then entry after
// entry, then the extensions. What becomes of the entries is for the reader to say.
//
// Format: git's Documentation/gitformat-index.txt.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "index/cache_tree.h"
#include "index/disk_entry.h"
#include "index/fsmonitor_marks.h"

namespace resident {

class IndexFile {
 public:
  // Those that say what the index holds; empty where the file lacks one.
  struct Extensions {
    Bytes tree;
    Bytes link;
    // Of "UNTR": where the untracked cache was made; empty where there is none.
    std::string_view untracked_cache_place;
    Bytes fsmonitor;      // "FSMN", to be checked with the number of all entries
    bool sparse = false;  // "sdir", which is without content
  };

  // `path` is for messages. Without `verify_checksum` the trailing checksum is not compared with
  // the content; one of zeros never is. The bytes must outlive the object.
  static Result<IndexFile> open(Bytes bytes, std::string path, HashAlgorithm algorithm,
                                bool verify_checksum);

  Bytes bytes() const { return file_; }
  uint32_t version() const { return version_; }
  uint32_t entry_count() const { return count_; }
  const ObjectId& checksum() const { return checksum_; }
  // All paths stored in it are no longer than this together.
  size_t path_bytes() const;

  // The next entry into `entry`, entry_count() times. An entry of a split index may have no path.
  Result<void> next(DiskEntry& entry);
  // The same for an entry like most: in the directory of the file before, whose path there is
  // `directory` bytes long with its slash, by a name that sorts after that file's, does not begin
  // with a dot and is well-formed. Of `entry` all but the path is set then. False where it is not
  // so plain, and then next() is to be asked.
  bool next_sibling(size_t directory, DiskEntry& entry, std::string_view& name);
  // The path of the entry that was read last, where the file has whole paths (before version 4).
  std::string_view whole_path() const { return previous_; }
  // Back to the first entry.
  void rewind();
  // To the entry at `offset`, before which comes one whose path is as long as that.
  void seek(size_t offset, size_t previous_length);
  // Of the next entry, or of the extensions.
  size_t offset() const { return position_; }
  // After the last entry. kUnsupported also for what git says something of.
  Result<Extensions> extensions();

  // With the number of entries that the whole index has: git's file system monitor tells of these.
  // Without a token where the file lacks the extension.
  Result<FsmonitorMarks> fsmonitor_marks(const Extensions& extensions, uint32_t entry_count) const;

  // With what "TREE" was decoded to, if anything.
  Result<void> check_cache_tree(const Extensions& extensions, const CacheTree* tree) const;

  Error fail(ErrorCode code, std::string_view reason, size_t offset) const;
  Error fail(const Error& error, const DiskEntry& entry) const {
    return fail(error.code, error.message, static_cast<size_t>(entry.disk - content_.data()));
  }

 private:
  IndexFile(Bytes bytes, std::string path, HashAlgorithm algorithm)
      : file_(bytes),
        path_(std::move(path)),
        algorithm_(algorithm),
        hash_size_(hash_size(algorithm)) {}
  Result<void> read_header();
  Result<void> check_trailer(HashAlgorithm algorithm, bool verify_checksum);
  Error damaged_entry(std::string_view reason, const DiskEntry& entry) const {
    return fail({ErrorCode::kCorrupt, std::string(reason)}, entry);
  }

  Bytes file_;
  Bytes content_;  // file_ without the trailing checksum
  std::string path_;
  HashAlgorithm algorithm_;
  size_t hash_size_;
  size_t position_ = 0;
  size_t previous_length_ = 0;  // of the path of the entry before, for version 4
  std::string_view previous_;   // that path, where the file has whole paths
  uint32_t version_ = 0;
  uint32_t count_ = 0;
  ObjectId checksum_;
};

}  // namespace resident
