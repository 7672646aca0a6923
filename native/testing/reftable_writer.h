// ReftableWriter: makes a reftable by hand, so that tests need no git that knows them, and can make
// what git never writes.
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
  // 2 names the hash in the header.
  int version = 1;
  // The largest block; padded ones are this long.
  uint32_t block_size = 4096;
  bool padded = true;
  size_t restart_interval = 16;
  // An index is written where a section has as many blocks, and again until a level has as few.
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
  // What an index says of a block.
  struct Indexed {
    std::string last_key;
    uint64_t position;
  };

  // `pads`: blocks begin where the layout has it, which those of logs do not.
  std::vector<Indexed> append_blocks(std::string& file, char type, const Records& records,
                                     bool pads) const;
  uint64_t append_index(std::string& file, std::vector<Indexed> blocks, bool pads) const;
  std::string header() const;

  ReftableLayout layout_;
  Records refs_;
  Records logs_;
};

// The table with the checksum that its footer has to have.
std::string with_right_checksum(std::string table);

// Makes <git_dir>/reftable hold these tables, the oldest first, and no others. Their names are new
// with each call.
void write_reftables(const std::string& git_dir, const std::vector<std::string>& tables);

}  // namespace resident::testing
