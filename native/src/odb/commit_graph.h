// CommitGraph: git's file with the tree, the parents, the date and the generation of each commit,
// or a chain of such files.
//
// We read the commits themselves. But git believes the graph, so what it says is compared with
// them, commit by commit, and where the two differ only git can answer. Of one that is damaged git
// says so.
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

  size_t record_size() const { return hash_size(algorithm_) + 16; }
  const Layer& layer_of(uint32_t position) const;
  const uint8_t* record(uint32_t position) const;
  ObjectId id_at(uint32_t position) const;
  std::optional<Generation> generation_at(uint32_t position) const;
  // nullopt where it cannot be.
  std::optional<std::vector<uint32_t>> parents_at(uint32_t position) const;

  const HashAlgorithm algorithm_;
  std::vector<Layer> layers_;
  uint32_t count_ = 0;
  bool has_dates_ = true;
};

}  // namespace resident
