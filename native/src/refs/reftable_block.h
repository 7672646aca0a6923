// ReftableBlock: one block of a reftable, with its records sorted by key.
//
// A block has a type, its length, the records and the restarts. A restart is the offset of a record
// whose key is complete. Every other key omits the prefix that it shares with the key before it.
// Blocks of reflogs are deflated. Every access is checked against the block's end. Errors do not
// name the file.
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

// Block types. Blocks of objects serve a search by id, which is not used here.
enum class ReftableSection : char { kRefs = 'r', kObjects = 'o', kLogs = 'g', kIndex = 'i' };

struct ReftableRecord {
  // Key of a ref: its name. Key of a log entry: "<name> NUL <64 bits>", where the number falls with
  // each update. Key of an index record: the last key of another block.
  std::string key;
  bool is_deletion = false;  // hides records with this key in older tables
  RawRef ref;
  ReflogEntry log;  // the message is valid as long as the block
  uint64_t block = 0;
};

class ReftableBlock {
 public:
  // Properties of all blocks of a table.
  struct Layout {
    size_t file_header = 0;   // in bytes; the first block includes it
    uint32_t block_size = 0;  // blocks are padded to this size; 0: no padding
    HashAlgorithm algorithm = HashAlgorithm::kSha1;
  };

  // Opens the block at `offset` of `table`, which excludes the footer. nullopt: the table ends
  // there.
  static Result<std::optional<ReftableBlock>> open(Bytes table, uint64_t offset,
                                                   const Layout& layout);

  ReftableSection section() const { return section_; }
  // Offset of the next block.
  uint64_t next_offset() const { return next_offset_; }

  // Offset of the first record.
  size_t begin() const { return begin_; }
  // Reads the record at `at` into `record`, which must hold the record before it. Returns the
  // offset of the next record. nullopt: no record is left.
  Result<std::optional<size_t>> read(size_t at, ReftableRecord& record) const;
  // Offset from which to read, to find the first record whose key is not less than `key`.
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
  size_t end_ = 0;  // end of the records; the restarts follow
  size_t restarts_ = 0;
  Bytes bytes_;
  std::shared_ptr<const std::string> inflated_;  // owns bytes_ if the block is deflated
};

}  // namespace resident
