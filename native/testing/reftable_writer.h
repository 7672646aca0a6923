// ReftableWriter: writes a reftable by hand. Tests need no git that supports reftables, and can
// make tables that git never writes.
//
// Source: git's Documentation/technical/reftable.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hash/object_id.h"

namespace resident::testing {

struct ReftableLayout {
  HashAlgorithm algorithm = HashAlgorithm::kSha1;
  // Version 2 names the hash in the header.
  int version = 1;
  // Limit of a block; padded blocks have exactly this size.
  uint32_t block_size = 4096;
  bool padded = true;
  size_t restart_interval = 16;
  // A section gets an index if it has at least `index_from` blocks. Further levels follow until a
  // level has at most `top_level` blocks.
  size_t index_from = 4;
  size_t top_level = 1;
};

class ReftableWriter {
 public:
  explicit ReftableWriter(ReftableLayout layout = {}) : layout_(layout) {}

  ReftableWriter& ref(const std::string& name, const ObjectId& id);
  ReftableWriter& tag(const std::string& name, const ObjectId& id, const ObjectId& peeled);
  ReftableWriter& symbolic(const std::string& name, const std::string& target);
  ReftableWriter& deletion(const std::string& name);
  // A record of any type and value.
  ReftableWriter& raw(const std::string& name, int type, const std::string& value);
  ReftableWriter& log(const std::string& name, uint64_t update, const ObjectId& old_id,
                      const ObjectId& new_id, const std::string& message);
  ReftableWriter& log_deletion(const std::string& name, uint64_t update);

  std::string bytes() const;

 private:
  struct Value {
    int type = 0;
    std::string bytes;
  };
  using Records = std::map<std::string, Value>;
  // An index record of a block.
  struct Indexed {
    std::string last_key;
    uint64_t position;
  };

  // `pads`: blocks are aligned to the block size; log blocks are not.
  std::vector<Indexed> append_blocks(std::string& file, char type, const Records& records,
                                     bool pads) const;
  uint64_t append_index(std::string& file, std::vector<Indexed> blocks, bool pads) const;
  std::string header() const;

  ReftableLayout layout_;
  Records refs_;
  Records logs_;
};

// The table with a correct checksum in its footer.
std::string with_right_checksum(std::string table);

// Replaces the tables of <git_dir>/reftable, the oldest first. Each call uses new file names.
void write_reftables(const std::string& git_dir, const std::vector<std::string>& tables);

}  // namespace resident::testing
