// ChunkTable: the table of contents of a commit-graph or a multi-pack-index. It follows the header.
// A row has a chunk's four-letter id and start offset. The last row has the end of the last chunk.
//
// Format: git's Documentation/gitformat-chunk.txt. Tables that git refuses are refused
// (chunk-format.c), and so are chunks that lie outside the file.
//
// Threads: constant after read().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "fs/mapped_file.h"
#include "hash/object_id.h"

namespace resident {

// Size of the fan-out chunk. Its count number b is the number of ids whose first byte is at most b.
inline constexpr size_t kFanoutSize = 256 * 4;

class ChunkTable {
 public:
  // Reads a table of `count` chunks at `offset` of `file`. The file ends with a checksum. The
  // chunks are views of `file`. kCorrupt: the message does not name the file.
  static Result<ChunkTable> read(Bytes file, size_t offset, size_t count, HashAlgorithm algorithm);

  // `name` has four letters.
  std::optional<Bytes> find(std::string_view name) const;

 private:
  std::vector<std::pair<std::string_view, Bytes>> chunks_;
};

// Maps such a file. kNotFound: git ignores the file, because it is missing or unreadable by
// permission. kCorrupt: any other failure; git fails too.
Result<MappedFile> open_as_git_does(const std::string& path);

// In a sorted list of `count` ids, returns the range of the ids with the same first byte as `id`.
// The list's table of 256 counts is `fanout`. Returns nullopt if the table points outside the list.
std::optional<std::pair<uint32_t, uint32_t>> fanout_range(Bytes fanout, const ObjectId& id,
                                                          uint32_t count);

// True if the counts never decrease. Newer versions of git require this for the whole table.
bool is_ordered_fanout(Bytes fanout);

// Returns the position of `id` in `ids`, a packed array of ids that is sorted within `range`
// (first, last + 1).
std::optional<uint32_t> find_id(Bytes ids, std::pair<uint32_t, uint32_t> range, const ObjectId& id);

}  // namespace resident
