// walk_in_parallel: how a directory tree is walked, by a scan and by a verification alike.
//
// Threads: `step` runs on several, each with a walker of its own; everything else on the caller's.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "base/work_stack.h"
#include "fs/file_system.h"
#include "status/disk_reserves.h"

namespace resident {

// One directory to be walked.
template <typename Node>
struct WalkTask {
  Node* node;
  Directory directory;                      // open, or
  std::shared_ptr<const Directory> parent;  // to be opened by name from here
};

// Calls `step(walker, task, push)` for `root` and for all that is pushed. Returns the walkers, as
// `make()` made them, with what they found; `tick` (may be empty) is called now and then.
template <typename Node, typename Make, typename Step>
auto walk_in_parallel(unsigned threads, Node& node, Directory root, Make&& make, Step&& step,
                      const std::function<void()>& tick) {
  threads = std::max(1u, threads);
  const Reserves reserves = disk_reserves(threads);
  const unsigned limit = std::max(threads, reserves.threads);
  std::vector<decltype(make())> walkers;
  walkers.reserve(limit);
  for (unsigned i = 0; i < limit; ++i) walkers.push_back(make());
  std::vector<WalkTask<Node>> roots;
  roots.push_back({&node, std::move(root), nullptr});
  run_work(
      threads, std::move(roots),
      [&](WalkTask<Node> task, auto&& push, unsigned worker) {
        step(walkers[worker], std::move(task), push);
      },
      tick, reserves);
  return walkers;
}

}  // namespace resident
