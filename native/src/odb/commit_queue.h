// CommitQueue: a priority queue of commits, the greatest CommitOrder first. Equal commits leave in
// the order of their insertion, as in git's prio-queue.c.
//
// Threads: owner only.
#pragma once

#include <cstdint>
#include <queue>

#include "odb/commit_table.h"

namespace resident {

class CommitQueue {
 public:
  void push(CommitTable::Index commit, CommitOrder order) { heap_.push({order, next_++, commit}); }
  bool empty() const { return heap_.empty(); }
  CommitOrder first() const { return heap_.top().order; }
  CommitTable::Index pop() {
    const CommitTable::Index commit = heap_.top().commit;
    heap_.pop();
    return commit;
  }

 private:
  struct Item {
    CommitOrder order;
    uint64_t number;
    CommitTable::Index commit;
    bool operator<(const Item& other) const {
      return order != other.order ? order < other.order : number > other.number;
    }
  };
  std::priority_queue<Item> heap_;
  uint64_t next_ = 0;
};

}  // namespace resident
