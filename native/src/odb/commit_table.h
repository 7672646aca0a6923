// CommitTable: the commits that walks over history have met, each read at most once, numbered in
// the order in which they were met.
//
// What the commit-graph has is read from it by position; ids are looked up for other commits only.
// A commit in the graph has none but parents in it, so that a walk leaves it never.
//
// Threads: its owner's.
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

// The order in which commits are visited: the greatest first. With equal dates git has an order of
// its own, which is that of the walk at hand.
struct CommitOrder {
  uint64_t generation = 0;
  uint64_t date = 0;
  friend auto operator<=>(const CommitOrder&, const CommitOrder&) = default;
};

class CommitTable {
 public:
  using Index = uint32_t;

  // `reader` must outlive it.
  explicit CommitTable(CommitReader& reader);

  size_t size() const { return commits_.size(); }
  // How many were read that the graph does not have.
  size_t objects_read() const { return objects_read_; }
  bool has_graph() const { return graph_ != nullptr; }
  const CommitGraph* graph() const { return graph_.get(); }

  Result<Index> add(const ObjectId& id);
  // Reads the commit and numbers its parents, where that was not done. Errors as those of the
  // reader and of the graph.
  Result<void> parse(Index index) { return commits_[index].parsed ? Result<void>() : read(index); }
  bool is_parsed(Index index) const { return commits_[index].parsed; }

  ObjectId id(Index index) const {
    const Commit& commit = commits_[index];
    return commit.in_graph ? graph_->id_at(commit.place) : outside_.id(commit.place);
  }

  // From here on of a commit that is parsed, or, without parents, of one that is not.
  uint64_t date(Index index) const { return commits_[index].order.date; }
  // By generation, then by date. What is not in the graph is above what is.
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

  // For the walk at hand; zero at first.
  uint8_t& paint(Index index) { return commits_[index].paint; }
  uint32_t& queued(Index index) { return commits_[index].queued; }
  void clear_paint();

 private:
  struct Commit {
    CommitOrder order;
    size_t first_parent = 0;  // in parents_
    uint32_t parent_count = 0;
    uint32_t place = 0;   // in the graph, or its number among those outside of it
    uint32_t queued = 0;  // how often
    bool in_graph = false;
    bool parsed = false;
    uint8_t paint = 0;
  };
  // Positions of the graph, by pages: of a large graph most walks meet little.
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
  ObjectNumbers outside_;                           // that the graph does not have
  std::vector<Index> outside_indices_;              // by their numbers
  std::vector<std::unique_ptr<Page>> by_position_;  // plus one; zero: not met
  std::vector<uint32_t> positions_;                 // of the parents at hand
  uint64_t graph_parents_ = 0;                      // read from the graph so far
  size_t objects_read_ = 0;
};

}  // namespace resident
