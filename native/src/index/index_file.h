// IndexFile: reads and checks the bytes of one index file: the header, then each entry, then the
// extensions. The caller decides how to store the entries.
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
  // Extensions with meaning for the index; empty if the file lacks the extension.
  struct Extensions {
    Bytes tree;
    Bytes link;
    // From "UNTR": the place where the untracked cache was made; empty without a cache.
    std::string_view untracked_cache_place;
    Bytes fsmonitor;      // "FSMN"; its check needs the number of all entries
    bool sparse = false;  // "sdir", which has no content
  };

  // `path` is for messages. Without `verify_checksum` the trailing checksum is not verified. A
  // checksum of zeros is never verified. The bytes must outlive the object.
  static Result<IndexFile> open(Bytes bytes, std::string path, HashAlgorithm algorithm,
                                bool verify_checksum);

  Bytes bytes() const { return file_; }
  uint32_t version() const { return version_; }
  uint32_t entry_count() const { return count_; }
  const ObjectId& checksum() const { return checksum_; }
  // Upper bound for the length of all stored paths together.
  size_t path_bytes() const;

  // Reads the next entry; call it entry_count() times. An entry of a split index may have no path.
  Result<void> next(DiskEntry& entry);
  // Fast version of next() for the usual case. The entry is in the directory of the previous file,
  // whose path has `directory` bytes with its slash. Its name is well-formed, has no leading dot
  // and sorts after the previous name. Sets all of `entry` but the path. False: not the usual case;
  // call next().
  bool next_sibling(size_t directory, DiskEntry& entry, std::string_view& name);
  // The path of the last entry. Only for a file with whole paths (before version 4).
  std::string_view whole_path() const { return previous_; }
  // Returns to the first entry.
  void rewind();
  // Moves to the entry at `offset`. The path before it has `previous_length` bytes.
  void seek(size_t offset, size_t previous_length);
  // Offset of the next entry, or of the extensions.
  size_t offset() const { return position_; }
  // Call it after the last entry. kUnsupported also if git would write a message about an
  // extension.
  Result<Extensions> extensions();

  // `entry_count` is the number of entries of the whole index, which the marks refer to. Without
  // the extension the marks have no token.
  Result<FsmonitorMarks> fsmonitor_marks(const Extensions& extensions, uint32_t entry_count) const;

  // `tree` is the decoded "TREE" extension, or null.
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
  size_t previous_length_ = 0;  // length of the previous path, for version 4
  std::string_view previous_;   // the previous path, if the file has whole paths
  uint32_t version_ = 0;
  uint32_t count_ = 0;
  ObjectId checksum_;
};

}  // namespace resident
