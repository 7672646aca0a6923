// PackWriter: writes a pack and its index by hand. Tests can make packs that git never writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hash/object_id.h"

namespace resident::testing {

std::string zlib_compress(std::string_view content);

// One copy instruction of a delta, and one insert instruction (at most 127 bytes).
std::string delta_copy(uint32_t offset, uint32_t size);
std::string delta_insert(std::string_view bytes);
// The two sizes, then `instructions`.
std::string make_delta(uint64_t base_size, uint64_t target_size, std::string_view instructions);

class PackWriter {
 public:
  explicit PackWriter(HashAlgorithm algorithm = HashAlgorithm::kSha1);

  // Each adds an entry and returns its offset. The type is the number in the pack, 1..4 for
  // objects. The id is the object's id in the index. Another size can be claimed in the entry's
  // header with `claimed_size`.
  uint64_t add(int type, const ObjectId& id, std::string_view content,
               std::optional<uint64_t> claimed_size = {});
  uint64_t add_ref_delta(const ObjectId& id, const ObjectId& base, std::string_view delta);
  uint64_t add_ofs_delta(const ObjectId& id, uint64_t distance, std::string_view delta);
  // Adds an index entry without an object.
  void add_to_index(const ObjectId& id, uint64_t offset);

  // Writes <directory>/pack-<name>.pack and .idx.
  void write(const std::string& directory, std::string_view name = "made");

  std::string pack_bytes() const;
  std::string index_bytes() const;

 private:
  struct Indexed {
    ObjectId id;
    uint64_t offset;
  };
  uint64_t add_entry(int type, const ObjectId& id, std::string_view between,
                     std::string_view content, std::optional<uint64_t> claimed_size);

  HashAlgorithm algorithm_;
  std::string entries_;
  uint32_t count_ = 0;
  std::vector<Indexed> indexed_;
};

}  // namespace resident::testing
