// PackIndex: a mapped pack index (.idx), versions 1 and 2. It has the offset of each object in the
// pack.
//
// Both versions have a fan-out table of 256 big-endian counts. The ids that start with byte b have
// the numbers from fanout[b - 1] up to, but without, fanout[b].
// - Version 1: fan-out table, then for each object a 4-byte offset and the id.
// - Version 2: "\377tOc", 2, fan-out table, ids, CRCs, 4-byte offsets, 8-byte offsets. A 4-byte
//   offset with its top bit set is an index into the 8-byte offsets.
//
// Both end with the checksums of the pack and of the index. Source: git's
// Documentation/gitformat-pack.txt.
//
// open() checks the size and the fan-out table, like git. It does not check the checksums. find()
// can miss ids that are out of order.
//
// Threads: constant after open().
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "fs/mapped_file.h"
#include "hash/object_id.h"

namespace resident {

class PackIndex {
 public:
  // kUnsupported: version above 2. kCorrupt: any other fault. The error message names the file.
  static Result<PackIndex> open(const std::string& path, HashAlgorithm algorithm);

  uint32_t count() const { return count_; }

  // The number of the object, 0 to count() - 1.
  std::optional<uint32_t> find(const ObjectId& id) const;
  // The number of the first object whose id is not less than `id`; count() if no id is.
  uint32_t lower_bound(const ObjectId& id) const;
  // Needs `number` < count().
  ObjectId id(uint32_t number) const;
  // The offset of the object's entry in the pack. It is unchecked: it can lie outside the pack.
  Result<uint64_t> offset(uint32_t number) const;
  // The object whose entry starts at `offset`. Searches all objects: use it on error paths only.
  std::optional<uint32_t> find_offset(uint64_t offset) const;

  // The checksum that the pack must have as its last bytes.
  Bytes pack_checksum() const;

  bool is_whole() const { return file_.is_whole(); }
  const std::string& path() const { return path_; }
  // stat() of the mapped file.
  const FileStat& stat() const { return file_.stat(); }

 private:
  PackIndex(std::string path, MappedFile file, HashAlgorithm algorithm);
  Result<void> check();
  uint32_t fanout(size_t byte) const;
  const uint8_t* id_bytes(uint32_t number) const;

  std::string path_;
  MappedFile file_;
  size_t hash_size_;
  int version_ = 1;
  uint32_t count_ = 0;
};

}  // namespace resident
