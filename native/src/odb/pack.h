// Pack: a pack file and its index.
//
// An entry has a header (type and inflated size) and a zlib stream. A delta also has the place of
// its base. OFS_DELTA names the base by its distance in the pack: the base is an earlier entry.
// REF_DELTA names it by id; the base is in the same pack. Only packs sent over the network may lack
// bases. Source: git's Documentation/gitformat-pack.txt.
//
// open() maps the index. The pack is mapped when its first object is read. A mapped pack stays
// readable after a repack has removed the file.
//
// Threads: any thread may call all members.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "fs/file_system.h"
#include "fs/mapped_file.h"
#include "odb/delta_base_cache.h"
#include "odb/object.h"
#include "odb/pack_index.h"

namespace resident {

class Pack {
 public:
  // Reads an object from another place. Used if the base of a delta is damaged in this pack.
  using Elsewhere = std::function<Result<Object>(const ObjectId&)>;

  // `base_path` is the path without ".idx" and ".pack". Fails as PackIndex::open() does.
  static Result<std::shared_ptr<Pack>> open(const std::string& base_path, HashAlgorithm algorithm);

  const PackIndex& index() const { return index_; }
  // DeltaBaseCache::Key::pack for the objects of this pack.
  uint64_t cache_id() const { return cache_id_; }
  // False: the files have changed or were truncated. Open the pack again.
  bool is_current(FileSystem& fs) EXCLUDES(mutex_);

  // Reads object `number` of the index. Fails with kNotFound if the pack file is gone and was not
  // mapped before. Fails with kCorrupt for any violation of the format. Fails with kUnsupported if
  // the object is larger than `limit` bytes.
  Result<Object> read(uint32_t number, DeltaBaseCache& cache, uint64_t limit,
                      const Elsewhere& elsewhere);

  // Type and size without the content. A delta is inflated for its size; its bases are not
  // inflated.
  Result<ObjectInfo> read_info(uint32_t number, uint64_t limit);

 private:
  struct Entry;
  class ChainGuard;

  Pack(std::string path, PackIndex index, HashAlgorithm algorithm);

  // The pack's bytes without the checksum at its end.
  Result<Bytes> data() EXCLUDES(mutex_);
  Result<void> check(const MappedFile& file) const;
  Result<Entry> entry_at(Bytes data, uint64_t offset) EXCLUDES(mutex_);
  Result<std::string> inflate(Bytes data, const Entry& entry, uint64_t limit) const;
  Error error_at(uint64_t offset, ErrorCode code, const std::string& reason) const;
  // Returns a substitute for the base at `offset`, or `error`, the reason why it cannot be read
  // here.
  Result<std::shared_ptr<const Object>> base_from(const Elsewhere& elsewhere, uint64_t offset,
                                                  Error error) const;

  const std::string path_;
  const PackIndex index_;
  const size_t hash_size_;
  const uint64_t cache_id_;

  Mutex mutex_;
  MappedFile file_ GUARDED_BY(mutex_);  // empty until first used, then constant
};

}  // namespace resident
