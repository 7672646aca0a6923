// Pack: one pack file and its index.
//
// An entry is a header (type and inflated size), for a delta the place of its base, and a zlib
// stream. The base is an earlier entry of the same pack (OFS_DELTA) or named by id (REF_DELTA),
// then also in the same pack: only packs on the wire may miss bases. Source: git's
// Documentation/gitformat-pack.txt.
//
// The index is mapped at once, the pack when the first object is wanted from it. Once mapped it
// stays readable although a repack has removed the file.
//
// Threads: all members may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "fs/mapped_file.h"
#include "odb/delta_base_cache.h"
#include "odb/object.h"
#include "odb/pack_index.h"

namespace resident {

class Pack {
 public:
  // Reads an object from another place, for when the base of a delta is damaged here.
  using Elsewhere = std::function<Result<Object>(const ObjectId&)>;

  // `base_path` is the path without ".idx" and ".pack". Fails as PackIndex::open() does.
  static Result<std::shared_ptr<Pack>> open(const std::string& base_path, HashAlgorithm algorithm);

  const PackIndex& index() const { return index_; }
  // DeltaBaseCache::Key::pack of its objects.
  uint64_t cache_id() const { return cache_id_; }
  // False: its files are others by now, or shorter, and it is to be opened anew.
  bool is_current() EXCLUDES(mutex_);

  // The object of that number in the index. kNotFound where the pack file is gone and was not
  // mapped yet; kCorrupt for every violation of the format; kUnsupported for objects above `limit`
  // bytes.
  Result<Object> read(uint32_t number, DeltaBaseCache& cache, uint64_t limit,
                      const Elsewhere& elsewhere);

  // Type and size without the content: a delta is inflated for its size, bases are not.
  Result<ObjectInfo> read_info(uint32_t number, uint64_t limit);

 private:
  struct Entry;
  class ChainGuard;

  Pack(std::string path, PackIndex index, HashAlgorithm algorithm);

  // The pack's bytes without the checksum at its end.
  Result<Bytes> data() EXCLUDES(mutex_);
  Result<void> check(const MappedFile& file) const;
  Result<Entry> entry_at(Bytes data, uint64_t offset) EXCLUDES(mutex_);
  // Who reads many entries, or a large one, wants what lies around them soon.
  void record_read(uint64_t size) EXCLUDES(mutex_);
  Result<std::string> inflate(Bytes data, const Entry& entry, uint64_t limit) const;
  Error error_at(uint64_t offset, ErrorCode code, const std::string& reason) const;
  // What to use as the base at `offset` after `error` kept us from reading it here.
  Result<std::shared_ptr<const Object>> base_from(const Elsewhere& elsewhere, uint64_t offset,
                                                  Error error) const;

  const std::string path_;
  const PackIndex index_;
  const size_t hash_size_;
  const uint64_t cache_id_;

  Mutex mutex_;
  MappedFile file_ GUARDED_BY(mutex_);      // empty until first used; constant from then on
  std::atomic<uint32_t> entries_read_ = 0;  // up to kFewEntries
};

}  // namespace resident
