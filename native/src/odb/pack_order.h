// PackOrder: the objects of a pack, or of a multi-pack-index, in the order in which bitmaps have
// them, and where in it the object lies that has a given number in the index.
//
// Of a pack that is the order of the offsets; of a multi-pack-index the pack of its first object
// comes first, the others by number, and in each the objects by offset. git stores it in a reverse
// index: "RIDX", version 1, a number for the hash, the objects' numbers in the index (4 bytes
// each), the checksum of the pack and that of the file; or in a chunk of the multi-pack-index. In a
// chain of these the numbers that are stored begin with the objects of the layers below.
// Where there is none that fits, the order is computed. Source: git's
// Documentation/gitformat-pack.txt.
//
// What is stored is used with care: an answer is one only if the object is where it says, between
// two that belong around it.
//
// Threads: constant after it is made.
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

// The table of a reverse index: `count` numbers of 4 bytes. kCorrupt where the file is another one;
// `checksum` is that of the pack or the multi-pack-index.
Result<Bytes> read_reverse_index(Bytes file, uint32_t count, Bytes checksum,
                                 HashAlgorithm algorithm);

class PackOrder {
 public:
  // Without a stored order more objects than that are kUnsupported: sorting them takes 16 bytes of
  // each, and a tenth of a second.
  static constexpr uint32_t kMaxSorted = 1 << 20;

  // `path` is that of a reverse index, which need not exist.
  static Result<PackOrder> of(std::shared_ptr<const Pack> pack, const std::string& path,
                              HashAlgorithm algorithm);
  static Result<PackOrder> of(std::shared_ptr<const MultiPackIndex> index, const std::string& path,
                              HashAlgorithm algorithm, uint32_t objects_below = 0);

  uint32_t count() const { return count_; }
  // The object's number in the index.
  Result<std::optional<uint32_t>> find(const ObjectId& id) const;
  // `number` < count(). kCorrupt where the order does not have it.
  Result<uint32_t> position_of(uint32_t number) const;
  // `position` < count(). kCorrupt where that number is none.
  Result<uint32_t> number_at(uint32_t position) const;
  // False: what it is made from was shortened meanwhile.
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

  std::shared_ptr<const Pack> pack_;  // or:
  std::shared_ptr<const MultiPackIndex> index_;
  uint32_t count_ = 0;
  uint32_t preferred_ = 0;  // the pack that comes first
  uint32_t objects_below_ = 0;
  MappedFile file_;
  Bytes stored_;                  // a view of file_ or of the multi-pack-index; or:
  std::vector<uint32_t> sorted_;  // numbers
};

}  // namespace resident
