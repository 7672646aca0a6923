// CommitTable: the commits that a walk over history has met. Each commit is read at most once and
// has an index, in the order in which commits were met.
//
// Commits in the commit-graph are read from it by position. Only other commits need a lookup by id.
// All parents of a commit in the graph are in the graph too, so a walk never leaves it.
//
// Threads: owner only.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "hash/object_id.h"
#include "odb/commit_graph.h"
#include "odb/commit_reader.h"
#include "odb/object_numbers.h"

namespace resident {

// The order of visits: the greatest first. git's order of commits with equal dates depends on the
// walk.
struct CommitOrder {
  uint64_t generation = 0;
  uint64_t date = 0;
  friend auto operator<=>(const CommitOrder&, const CommitOrder&) = default;
};

class CommitTable {
 public:
  using Index = uint32_t;

  // `reader` must outlive the table.
  explicit CommitTable(CommitReader& reader);

  size_t size() const { return commits_.size(); }
  // Number of commits that were read from outside the graph.
  size_t objects_read() const { return objects_read_; }
  bool has_graph() const { return graph_ != nullptr; }
  const CommitGraph* graph() const { return graph_.get(); }

  Result<Index> add(const ObjectId& id);
  // Reads the commit and gives its parents indexes, unless this was done before. Errors: those of
  // the reader and of the graph.
  Result<void> parse(Index index) { return commits_[index].parsed ? Result<void>() : read(index); }

  ObjectId id(Index index) const {
    const Commit& commit = commits_[index];
    return commit.in_graph ? graph_->id_at(commit.place) : outside_.id(commit.place);
  }

  // The functions below need a parsed commit. An unparsed commit seems to have no parents.
  uint64_t date(Index index) const { return commits_[index].order.date; }
  // By generation, then by date. Commits outside the graph come before commits in the graph.
  CommitOrder order(Index index) const { return commits_[index].order; }
  bool is_in_graph(Index index) const { return commits_[index].in_graph; }
  // Valid until the next commit is parsed.
  std::span<const Index> parents(Index index) const {
    const Commit& commit = commits_[index];
    return std::span(parents_).subspan(commit.first_parent, commit.parent_count);
  }
  size_t parent_count(Index index) const { return commits_[index].parent_count; }
  Index parent(Index index, size_t number) const {
    return parents_[commits_[index].first_parent + number];
  }

  // State of the current walk; zero at first.
  uint8_t& paint(Index index) { return commits_[index].paint; }
  uint32_t& queued(Index index) { return commits_[index].queued; }
  void clear_paint();

 private:
  struct Commit {
    CommitOrder order;
    size_t first_parent = 0;  // in parents_
    uint32_t parent_count = 0;
    uint32_t place = 0;   // position in the graph, or number in outside_
    uint32_t queued = 0;  // how many times the commit is in the queue
    bool in_graph = false;
    bool parsed = false;
    uint8_t paint = 0;
  };
  // Indexes by graph position, in pages: most walks meet only a small part of a large graph.
  static constexpr size_t kPageSize = 1024;
  using Page = std::array<Index, kPageSize>;

  Result<void> read(Index index);
  Result<void> read_from_graph(Index index);
  Result<void> read_object(Index index);
  Index add_position(uint32_t position);

  CommitReader& reader_;
  const std::shared_ptr<const CommitGraph> graph_;
  std::vector<Commit> commits_;
  std::vector<Index> parents_;
  ObjectNumbers outside_;                           // commits that are not in the graph
  std::vector<Index> outside_indices_;              // by number in outside_
  std::vector<std::unique_ptr<Page>> by_position_;  // index + 1; zero: not met
  std::vector<uint32_t> positions_;                 // buffer: parents of the commit being read
  uint64_t graph_parents_ = 0;                      // number of parents read from the graph so far
  size_t objects_read_ = 0;
};

}  // namespace resident
