#include "odb/commit_table.h"

#include <limits>
#include <utility>

namespace resident {

CommitTable::CommitTable(CommitReader& reader) : reader_(reader), graph_(reader.graph()) {
  if (graph_) by_position_.resize((size_t{graph_->count()} + kPageSize - 1) / kPageSize);
}

Result<CommitTable::Index> CommitTable::add(const ObjectId& id) {
  if (graph_) {
    RESIDENT_TRY(const std::optional<uint32_t> position, graph_->find(id));
    if (position) return add_position(*position);
  }
  const auto [number, is_new] = outside_.add(id);
  if (is_new) {
    outside_indices_.push_back(static_cast<Index>(commits_.size()));
    commits_.emplace_back().place = number;
  }
  return outside_indices_[number];
}

CommitTable::Index CommitTable::add_position(uint32_t position) {
  std::unique_ptr<Page>& page = by_position_[position / kPageSize];
  if (!page) page = std::make_unique<Page>();
  Index& known = (*page)[position % kPageSize];
  if (known == 0) {
    Commit& commit = commits_.emplace_back();
    commit.place = position;
    commit.in_graph = true;
    known = static_cast<Index>(commits_.size());
  }
  return known - 1;
}

Result<void> CommitTable::read(Index index) {
  RESIDENT_CHECK(commits_[index].in_graph ? read_from_graph(index) : read_object(index));
  commits_[index].parsed = true;
  return {};
}

Result<void> CommitTable::read_from_graph(Index index) {
  const uint32_t position = commits_[index].place;
  RESIDENT_TRY(const CommitGraph::Node node, graph_->node_at(position));
  RESIDENT_CHECK(graph_->read_parents(position, positions_));
  // Lists that overlap would let a small file make us take any amount of memory.
  graph_parents_ += positions_.size();
  if (graph_parents_ > graph_->most_parents()) {
    return Error{ErrorCode::kUnsupported, "commit-graph: the lists of parents overlap"};
  }
  const size_t first = parents_.size();
  for (const uint32_t parent : positions_) {
    RESIDENT_TRY(const CommitGraph::Node below, graph_->node_at(parent));
    if (!graph_->is_order(node.generation, below.generation)) {
      return Error{ErrorCode::kUnsupported,
                   "commit-graph: " + graph_->id_at(position).hex() +
                       ": the generation is not above the generation of the parent"};
    }
    parents_.push_back(add_position(parent));
  }
  Commit& commit = commits_[index];
  commit.order = {node.generation, node.date};
  commit.first_parent = first;
  commit.parent_count = static_cast<uint32_t>(positions_.size());
  return {};
}

Result<void> CommitTable::read_object(Index index) {
  // A copy: reading can move the ids.
  const ObjectId id = outside_.id(commits_[index].place);
  RESIDENT_TRY(const CommitInfo info, reader_.read(id));
  ++objects_read_;
  std::vector<Index> parents;
  for (const ObjectId& parent : info.parents) {
    RESIDENT_TRY(const Index added, add(parent));
    parents.push_back(added);
  }
  Commit& commit = commits_[index];
  commit.order = {std::numeric_limits<uint64_t>::max(), info.date};
  commit.first_parent = parents_.size();
  commit.parent_count = static_cast<uint32_t>(parents.size());
  parents_.insert(parents_.end(), parents.begin(), parents.end());
  return {};
}

void CommitTable::clear_paint() {
  for (Commit& commit : commits_) {
    commit.paint = 0;
    commit.queued = 0;
  }
}

}  // namespace resident
