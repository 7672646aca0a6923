// walk_in_parallel: walks a directory tree, for a scan or for a verification.
//
// Threads: `step` runs on several threads, each with its own walker. Everything else runs on the
// caller's thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "fs/file_system.h"
#include "parallel/work_stack.h"
#include "status/disk_reserves.h"

namespace resident {

// Alignment of a walker. It avoids false sharing: a write by one thread must not invalidate another
// thread's cache line, or the adjacent line that processors prefetch.
inline constexpr size_t kWalkerAlignment = 128;

// One directory to be walked.
template <typename Node>
struct WalkTask {
  Node* node;
  Directory directory;                      // open, or not valid
  std::shared_ptr<const Directory> parent;  // to open by name from here; null too: open by path
};

// Calls `step(walker, task, push)` for the root and for each pushed task. Returns the walkers with
// their results; `make()` creates them. Calls `tick` from time to time; it may be empty.
//
// With `around` every thread has a private table of file descriptors and runs inside that call
// (PrivateFdTable::around). A task that moves to another thread must be opened by path. The process
// must do nothing else then, and `tick` must be empty.
template <typename Node, typename Make, typename Step>
auto walk_in_parallel(unsigned threads, Node& node, Directory root, Make&& make, Step&& step,
                      const std::function<void()>& tick,
                      void (*around)(std::invoke_result_t<Make>& walker,
                                     const std::function<void()>& work) = nullptr) {
  using Walker = decltype(make());
  static_assert(alignof(Walker) >= kWalkerAlignment);
  threads = std::max(1u, threads);
  const Reserves reserves = disk_reserves(threads, around != nullptr);
  const unsigned limit = std::max(threads, reserves.threads);
  std::vector<std::unique_ptr<Walker>> walkers;  // a walker cannot be moved
  walkers.reserve(limit);
  for (unsigned i = 0; i < limit; ++i) walkers.emplace_back(new Walker(make()));
  std::vector<WalkTask<Node>> roots;
  PrivateFdTable<WalkTask<Node>> fd_tables;
  WalkTask<Node> first{&node, std::move(root), nullptr};
  if (around) {
    fd_tables.around = [&](unsigned worker, const auto& work) { around(*walkers[worker], work); };
    fd_tables.give_away = [](WalkTask<Node>& task) { task.parent.reset(); };
    step(*walkers[0], std::move(first), [&](WalkTask<Node> task) {
      fd_tables.give_away(task);
      roots.push_back(std::move(task));
    });
  } else {
    roots.push_back(std::move(first));
  }
  run_work(
      threads, std::move(roots),
      [&](WalkTask<Node> task, auto&& push, unsigned worker) {
        step(*walkers[worker], std::move(task), push);
      },
      tick, reserves, fd_tables);
  return walkers;
}

}  // namespace resident
