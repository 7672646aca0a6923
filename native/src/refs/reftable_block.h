// ReftableBlock: one block of a reftable, and the records in it, which are sorted by key.
//
// A block is a type and its length, then the records, then the offsets of those whose keys are
// whole ("restarts"); every other key leaves out what it shares with the one before it. Those of
// reflogs are deflated. Every access is checked against the block's end; errors do not know the
// file.
//
// Source: git's Documentation/technical/reftable.
//
// Threads: immutable; a ReftableRecord belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "hash/object_id.h"
#include "refs/ref_backend.h"

namespace resident {

// The types of blocks. Those of objects serve a search that nobody makes here.
enum class ReftableSection : char { kRefs = 'r', kObjects = 'o', kLogs = 'g', kIndex = 'i' };

struct ReftableRecord {
  // The name of a ref; of a log "<name> NUL <64 bits that fall with each update>"; of an index the
  // last key of another block.
  std::string key;
  bool is_deletion = false;  // hides the record of that key in older tables
  RawRef ref;
  ReflogEntry log;  // its message is valid as long as the block
  uint64_t block = 0;
};

class ReftableBlock {
 public:
  // What all blocks of a table share.
  struct Layout {
    size_t file_header = 0;   // its size; the first block includes it
    uint32_t block_size = 0;  // that blocks are padded to; 0: none is
    HashAlgorithm algorithm = HashAlgorithm::kSha1;
  };

  // The block at `offset` of `table`, which ends before the footer; nullopt where it ends there.
  static Result<std::optional<ReftableBlock>> open(Bytes table, uint64_t offset,
                                                   const Layout& layout);

  ReftableSection section() const { return section_; }
  // Of the block behind this one.
  uint64_t next_offset() const { return next_offset_; }

  // Where the first record is.
  size_t begin() const { return begin_; }
  // Reads the record at `at` into `record`, which holds the one before it, and returns where the
  // next one is; nullopt behind the last one.
  Result<std::optional<size_t>> read(size_t at, ReftableRecord& record) const;
  // Where to begin to read in order to find the first record whose key is not before `key`.
  Result<size_t> restart_before(std::string_view key) const;

 private:
  Error corrupt_at(size_t at, std::string_view reason) const;
  Result<std::string_view> restart_key(size_t restart) const;
  size_t restart_offset(size_t restart) const;

  ReftableSection section_ = ReftableSection::kRefs;
  HashAlgorithm algorithm_ = HashAlgorithm::kSha1;
  uint64_t offset_ = 0;
  uint64_t next_offset_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;  // of the records; the restarts follow
  size_t restarts_ = 0;
  Bytes bytes_;
  std::shared_ptr<const std::string> inflated_;  // holds bytes_ where they were deflated
};

}  // namespace resident
