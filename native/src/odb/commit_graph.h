// CommitGraph: git's file with the tree, the parents, the date and the generation of each commit,
// or a chain of such files.
//
// git believes the graph. So do walks over history, which then read no commit that it has. Where a
// commit itself is read, it is compared with the graph, and where the two differ only git can
// answer. Of one that is damaged git says so.
//
// Format: git's Documentation/gitformat-commit-graph.txt. What find() has among its problems is
// what git complains of (commit-graph.c), and what leads out of the file.
//
// Threads: constant after find().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/mapped_file.h"
#include "hash/object_id.h"
#include "object/commit.h"

namespace resident {

class CommitGraph {
 public:
  struct Found {
    std::shared_ptr<const CommitGraph> graph;  // null where there is none
    std::vector<Error> problems;
  };
  // The one that git takes: that of the first of `directories`, which hold objects, that has one.
  // `note` is told each file before it is looked at.
  static Found find(const std::vector<std::string>& directories, HashAlgorithm algorithm,
                    const std::function<void(const std::string&)>& note);

  // Whether it says of the commit what the commit says itself, or does not have it.
  bool agrees(const ObjectId& id, const CommitHeader& commit) const;

  // Commits are numbered from 0 to count() - 1: their positions.
  uint32_t count() const { return count_; }
  // nullopt where it does not have the commit; kUnsupported where git would look outside of it.
  Result<std::optional<uint32_t>> find(const ObjectId& id) const;
  // `position` < count() from here on.
  ObjectId id_at(uint32_t position) const;
  struct Node {
    uint64_t date = 0;        // the committer's
    uint64_t generation = 0;  // of the one kind that the whole graph has: see has_dates()
  };
  // kUnsupported where what it says cannot be.
  Result<Node> node_at(uint32_t position) const;
  // In place of what `parents` holds; kUnsupported where they cannot be.
  Result<void> read_parents(uint32_t position, std::vector<uint32_t>& parents) const;
  // More than that are never counted in all, each commit read once, where no lists overlap.
  uint64_t most_parents() const;
  // Generations are corrected commit dates (version 2), not levels.
  bool has_dates() const { return has_dates_; }
  // That of a parent is smaller than that of its child, unless both are the same and one of these:
  // a level that was never computed, or is beyond counting.
  bool is_order(uint64_t child, uint64_t parent) const;
  // False: a file was shortened, and what was read may not be what it held.
  bool is_whole() const;

 private:
  // One file. The commits of a chain are numbered from the first file on.
  struct Layer {
    MappedFile file;
    uint32_t first = 0;
    uint32_t count = 0;
    Bytes fanout;
    Bytes ids;
    Bytes commits;
    Bytes edges;
    Bytes bases;
    bool has_dates = false;  // corrected ones
    Bytes dates;
    Bytes large_dates;
  };
  struct Generation {
    uint64_t level = 0;
    std::optional<uint64_t> date;  // where every layer has it
  };

  explicit CommitGraph(HashAlgorithm algorithm) : algorithm_(algorithm) {}
  static Result<Layer> open(const std::string& path, HashAlgorithm algorithm);
  static Result<void> read(Layer& layer, HashAlgorithm algorithm);
  static std::shared_ptr<CommitGraph> read_chain(
      const std::string& directory, const std::vector<std::string>& directories,
      HashAlgorithm algorithm, const std::function<void(const std::string&)>& note,
      std::vector<Error>& problems);
  Result<void> add(Layer layer, const std::vector<ObjectId>& chain);

  Error contradiction(uint32_t position, const std::string& what) const;
  size_t record_size() const { return hash_size(algorithm_) + 16; }
  const Layer& layer_of(uint32_t position) const;
  const uint8_t* record(uint32_t position) const;
  std::optional<Generation> generation_at(uint32_t position) const;

  const HashAlgorithm algorithm_;
  std::vector<Layer> layers_;
  uint32_t count_ = 0;
  bool has_dates_ = true;
};

}  // namespace resident
