// PackOrder: the order of bitmaps, for the objects of a pack or of a multi-pack-index. It converts
// between an object's number in the index and its position in the order.
//
// In a pack, objects are ordered by offset. In a multi-pack-index, the preferred pack comes first,
// then the others by number. Within a pack, objects are ordered by offset. The preferred pack is
// the pack of the first object.
//
// git stores the order in a reverse index file, or in a chunk of the multi-pack-index. The file has
// "RIDX", version 1 and the hash's number. Then come the objects' numbers in the index (4 bytes
// each), the pack's checksum and the file's own checksum. In a chain of multi-pack-indexes, the
// stored numbers start after those of the lower layers. If a pack has no valid reverse index, the
// order is computed. Source: git's Documentation/gitformat-pack.txt.
//
// The stored order is not trusted. position_of() checks that the object is at the position, between
// two neighbours in the right order.
//
// Threads: constant after construction.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/mapped_file.h"
#include "hash/object_id.h"
#include "odb/multi_pack_index.h"
#include "odb/pack.h"

namespace resident {

// Returns the table of a reverse index: `count` numbers of 4 bytes. The pack or multi-pack-index
// has the checksum `checksum`. Fails with kCorrupt if the file is no reverse index for it.
Result<Bytes> read_reverse_index(Bytes file, uint32_t count, Bytes checksum,
                                 HashAlgorithm algorithm);

class PackOrder {
 public:
  // Limit of the objects that are sorted if no order is stored; more are kUnsupported. Sorting
  // takes 16 bytes for each object, and a tenth of a second for this many.
  static constexpr uint32_t kMaxSorted = 1 << 20;

  // `path` is the path of a reverse index, which may be missing.
  static Result<PackOrder> of(std::shared_ptr<const Pack> pack, const std::string& path,
                              HashAlgorithm algorithm);
  static Result<PackOrder> of(std::shared_ptr<const MultiPackIndex> index, const std::string& path,
                              HashAlgorithm algorithm, uint32_t objects_below = 0);

  uint32_t count() const { return count_; }
  // The object's number in the index.
  Result<std::optional<uint32_t>> find(const ObjectId& id) const;
  // Needs `number` < count(). kCorrupt: the order does not have it.
  Result<uint32_t> position_of(uint32_t number) const;
  // Needs `position` < count(). kCorrupt: the stored number is invalid.
  Result<uint32_t> number_at(uint32_t position) const;
  // False: a file that the order was read from was truncated since.
  bool is_whole() const;

 private:
  struct Key {
    uint32_t pack = 0;
    uint64_t offset = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  PackOrder(std::shared_ptr<const Pack> pack, std::shared_ptr<const MultiPackIndex> index);
  Result<void> load(const std::string& path, HashAlgorithm algorithm);
  Result<void> sort();
  Result<void> find_preferred();
  Result<Key> key_of(uint32_t number) const;

  std::shared_ptr<const Pack> pack_;  // null: index_ is set
  std::shared_ptr<const MultiPackIndex> index_;
  uint32_t count_ = 0;
  uint32_t preferred_ = 0;  // pack that comes first
  uint32_t objects_below_ = 0;
  MappedFile file_;
  Bytes stored_;  // view of file_ or of the multi-pack-index; empty: sorted_ is used
  std::vector<uint32_t> sorted_;  // numbers in order
};

}  // namespace resident
