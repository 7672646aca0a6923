// MultiPackIndex: a mapped multi-pack-index: of the objects of several packs, in which one and
// where in it each lies.
//
// We find objects by the packs' own indexes. But git believes the multi-pack-index, and opens none
// of the packs that it names on their own; so what it says is compared with the packs, object by
// object, and where the two differ only git can answer. Of one that is damaged git says so.
//
// Format: git's Documentation/gitformat-pack.txt, "multi-pack-index (MIDX) files". In version 1 the
// packs are sorted by name, in version 2 they have any order. What open() refuses is what git
// complains of or gives up on (midx.c), and what leads out of the file.
//
// Threads: constant after open().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fs/mapped_file.h"
#include "hash/object_id.h"

namespace resident {

class MultiPackIndex {
 public:
  struct Place {
    uint32_t pack = 0;  // a position in packs()
    uint64_t offset = 0;
  };

  // What the git whose answers are wanted reads: an older one dies of version 2.
  static constexpr int kNewestVersion = 2;

  // The file of that path. kNotFound where git finds none; else kCorrupt.
  static Result<std::shared_ptr<const MultiPackIndex>> open(const std::string& path,
                                                            HashAlgorithm algorithm,
                                                            int newest_version = kNewestVersion);

  // The names of the packs' own indexes, "pack-<id>.idx".
  const std::vector<std::string_view>& packs() const { return packs_; }
  // nullopt where it does not have the object; kCorrupt where what it says of it cannot be.
  Result<std::optional<Place>> find(const ObjectId& id) const;

  // Objects are numbered by their ids, from 0 to count() - 1.
  uint32_t count() const { return count_; }
  Result<std::optional<uint32_t>> find_number(const ObjectId& id) const;
  // `number` < count().
  Result<Place> place_at(uint32_t number) const;

  // The numbers of its objects in the order that bitmaps have, 4 bytes each (see pack_order.h);
  // empty where it does not have it.
  Bytes order() const { return order_; }
  const std::string& path() const { return path_; }
  // Its last bytes, by which its bitmaps know it.
  Bytes checksum() const { return file_.bytes().last(hash_size(algorithm_)); }
  bool is_whole() const { return file_.is_whole(); }

 private:
  MultiPackIndex(std::string path, MappedFile file, HashAlgorithm algorithm)
      : path_(std::move(path)), file_(std::move(file)), algorithm_(algorithm) {}
  Result<void> read(int newest_version);
  Result<void> read_packs(Bytes names, uint32_t count, bool sorted);

  const std::string path_;
  const MappedFile file_;
  const HashAlgorithm algorithm_;
  uint32_t count_ = 0;
  std::vector<std::string_view> packs_;
  Bytes fanout_;
  Bytes ids_;
  Bytes offsets_;
  Bytes large_offsets_;
  Bytes order_;
};

}  // namespace resident
