// ChunkTable: the table of contents that a commit-graph and a multi-pack-index have after their
// header: for each chunk an id of four letters and where it begins, and where the last one ends.
//
// Format: git's Documentation/gitformat-chunk.txt. What is refused is what git refuses
// (chunk-format.c), and what it would read beyond the file's end.
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

// Of the fan-out chunk, which counts for each first byte the ids that begin with it or a smaller
// one.
inline constexpr size_t kFanoutSize = 256 * 4;

class ChunkTable {
 public:
  // The table of `count` chunks that begins at `offset` of `file`, whose last bytes are a checksum.
  // kCorrupt without the file's name. The chunks are views of `file`.
  static Result<ChunkTable> read(Bytes file, size_t offset, size_t count, HashAlgorithm algorithm);

  // `name` has four letters.
  std::optional<Bytes> find(std::string_view name) const;

 private:
  std::vector<std::pair<std::string_view, Bytes>> chunks_;
};

// Maps a file of this kind. kNotFound where git does not get to open it, kCorrupt where it is of a
// kind that git fails on.
Result<MappedFile> open_as_git_does(const std::string& path);

// The range of positions, in a list of sorted ids, of those that begin with the same byte as `id`:
// by a table of 256 counts, `fanout`, of a list of `count` ids. nullopt where it leads out of the
// list.
std::optional<std::pair<uint32_t, uint32_t>> fanout_range(Bytes fanout, const ObjectId& id,
                                                          uint32_t count);

// The counts never fall, as newer gits demand of the whole table.
bool is_ordered_fanout(Bytes fanout);

// Where `id` is in `ids`, which hold ids one after another and are sorted in [first, last).
std::optional<uint32_t> find_id(Bytes ids, std::pair<uint32_t, uint32_t> range, const ObjectId& id);

}  // namespace resident
