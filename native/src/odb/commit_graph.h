// CommitGraph: git's commit-graph file, or a chain of such files. It has the tree, parents, date
// and generation of each commit.
//
// git trusts the graph. Our walks over history trust it too and read no commit object that the
// graph has. When a commit object is read, it is compared with the graph. If they differ, only git
// can answer. git prints a warning about a damaged graph.
//
// Format: git's Documentation/gitformat-commit-graph.txt. find() reports the problems that git
// warns of (commit-graph.c) and offsets outside the file.
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
#include "fs/file_system.h"
#include "fs/mapped_file.h"
#include "hash/object_id.h"
#include "object/commit.h"

namespace resident {

class CommitGraph {
 public:
  struct Found {
    std::shared_ptr<const CommitGraph> graph;  // null: no graph
    std::vector<Error> problems;
  };
  // Finds the graph that git uses: the graph in the first of the object `directories` that has one.
  // Calls `note` with the path of each file before it is opened.
  static Found find(FileSystem& fs, const std::vector<std::string>& directories,
                    HashAlgorithm algorithm, const std::function<void(const std::string&)>& note);

  // True if the graph and the commit have the same data, or if the graph does not have the commit.
  bool agrees(const ObjectId& id, const CommitHeader& commit) const;

  // A commit's position is its number in the graph, 0 to count() - 1.
  uint32_t count() const { return count_; }
  // nullopt: the graph does not have the commit. kUnsupported: git would read outside the file.
  Result<std::optional<uint32_t>> find(const ObjectId& id) const;
  // All functions below need `position` < count().
  ObjectId id_at(uint32_t position) const;
  struct Node {
    uint64_t date = 0;        // committer date
    uint64_t generation = 0;  // its kind is the same in the whole graph: see has_dates()
  };
  // kUnsupported: the graph has no valid generation for the commit.
  Result<Node> node_at(uint32_t position) const;
  // Replaces `parents` with the positions of the parents. kUnsupported: the stored parents are
  // invalid.
  Result<void> read_parents(uint32_t position, std::vector<uint32_t>& parents) const;
  // Upper limit for the parents of all commits together, if parent lists do not overlap.
  uint64_t most_parents() const;
  // True: generations are corrected commit dates (version 2). False: they are topological levels.
  bool has_dates() const { return has_dates_; }
  // True if the generation `parent` is valid for a parent of a commit with generation `child`. It
  // must be smaller. Levels may be equal if they were never computed or have reached their maximum.
  bool is_order(uint64_t child, uint64_t parent) const;
  // False: a file was truncated while mapped. Data read from it may be wrong.
  bool is_whole() const;

 private:
  // One file. The first file of a chain has the smallest positions.
  struct Layer {
    MappedFile file;
    uint32_t first = 0;
    uint32_t count = 0;
    Bytes fanout;
    Bytes ids;
    Bytes commits;
    Bytes edges;
    Bytes bases;
    bool has_dates = false;  // has corrected commit dates
    Bytes dates;
    Bytes large_dates;
  };
  struct Generation {
    uint64_t level = 0;
    std::optional<uint64_t> date;  // unset unless every layer has corrected dates
  };

  explicit CommitGraph(HashAlgorithm algorithm) : algorithm_(algorithm) {}
  static Result<Layer> open(const std::string& path, HashAlgorithm algorithm);
  static Result<void> read(Layer& layer, HashAlgorithm algorithm);
  static std::shared_ptr<CommitGraph> read_chain(
      FileSystem& fs, const std::string& directory, const std::vector<std::string>& directories,
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
