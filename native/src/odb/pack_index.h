// PackIndex: a mapped pack index (.idx), versions 1 and 2: which object lies at which offset of the
// pack.
//
// Both versions have a fan-out table of 256 big-endian counts, so that the ids that start with byte
// b are those numbered fanout[b - 1] up to fanout[b]. Version 1: fan-out, then (4-byte offset, id)
// per object. Version 2: "\377tOc", 2, fan-out, ids, CRCs, 4-byte offsets, and 8-byte offsets for
// those whose top bit is set. Both end with the checksums of the pack and of the index. Source:
// git's Documentation/gitformat-pack.txt.
//
// Size and fan-out are checked by open(), as git does; checksums are not, and ids out of order only
// mean that find() misses them.
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
  // kCorrupt, or kUnsupported for a version above 2; the message names the file.
  static Result<PackIndex> open(const std::string& path, HashAlgorithm algorithm);

  uint32_t count() const { return count_; }

  // The number of the object, 0 .. count() - 1.
  std::optional<uint32_t> find(const ObjectId& id) const;
  // The number of the first object whose id is not below `id`; count() where all are.
  uint32_t lower_bound(const ObjectId& id) const;
  // `number` < count().
  ObjectId id(uint32_t number) const;
  // Where the object's entry starts in the pack, as the index claims; only the pack knows its own
  // end.
  Result<uint64_t> offset(uint32_t number) const;
  // The object whose entry starts at `offset`. Looks at every object: for error paths.
  std::optional<uint32_t> find_offset(uint64_t offset) const;

  // What the last bytes of the pack must be.
  Bytes pack_checksum() const;

  bool is_whole() const { return file_.is_whole(); }
  const std::string& path() const { return path_; }
  // Of the file that is mapped.
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
