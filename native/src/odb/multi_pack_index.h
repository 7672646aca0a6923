// MultiPackIndex: a mapped multi-pack-index. For the objects of several packs it has the pack and
// the offset of each object.
//
// We find objects by the packs' own indexes. But git trusts the multi-pack-index and does not open
// the indexes of the packs that it names. Therefore each object's place is compared with the packs.
// If they differ, only git can answer. git prints a warning about a damaged multi-pack-index.
//
// Format: git's Documentation/gitformat-pack.txt, "multi-pack-index (MIDX) files". In version 1 the
// packs are sorted by name. In version 2 they have any order. open() refuses files that git warns
// of or fails on (midx.c), and offsets outside the file.
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
    uint32_t pack = 0;  // index into packs()
    uint64_t offset = 0;
  };

  // The newest version that any git reads. An older git fails on version 2.
  static constexpr int kNewestVersion = 2;

  // kNotFound: git ignores the file (open_as_git_does()). kCorrupt: any other problem.
  static Result<std::shared_ptr<const MultiPackIndex>> open(const std::string& path,
                                                            HashAlgorithm algorithm,
                                                            int newest_version = kNewestVersion);

  // The file names of the packs' own indexes, "pack-<id>.idx".
  const std::vector<std::string_view>& packs() const { return packs_; }
  // nullopt: the object is not in the index. kCorrupt: the stored place is invalid.
  Result<std::optional<Place>> find(const ObjectId& id) const;

  // An object's number is its position in the order of ids, 0 to count() - 1.
  uint32_t count() const { return count_; }
  Result<std::optional<uint32_t>> find_number(const ObjectId& id) const;
  // `number` < count().
  Result<Place> place_at(uint32_t number) const;

  // The numbers of the objects in the order of bitmaps, 4 bytes each (see pack_order.h). Empty: not
  // stored.
  Bytes order() const { return order_; }
  const std::string& path() const { return path_; }
  // The file's last bytes. Its bitmap and reverse index refer to them.
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
