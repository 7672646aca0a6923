// walk_in_parallel: how a directory tree is walked, by a scan and by a verification alike.
//
// Threads: `step` runs on several, each with a walker of its own; everything else on the caller's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/work_stack.h"
#include "fs/file_system.h"
#include "status/disk_reserves.h"

namespace resident {

// A walker begins at a multiple of it, so that no thread waits for a cache line, or its neighbour
// that processors fetch with it, because another thread writes to it.
inline constexpr size_t kWalkerAlignment = 128;

// One directory to be walked.
template <typename Node>
struct WalkTask {
  Node* node;
  Directory directory;                      // open, or
  std::shared_ptr<const Directory> parent;  // to be opened by name from here, or by path
};

// Calls `step(walker, task, push)` for `root` and for all that is pushed. Returns the walkers, as
// `make()` made them, with what they found; `tick` (may be empty) is called now and then.
//
// With `around` every thread has directories of its own: who is started works within it
// (Apart::around), and a task that one thread takes from another is to be opened by path. The
// process does nothing else then. Not together with a tick.
template <typename Node, typename Make, typename Step>
auto walk_in_parallel(unsigned threads, Node& node, Directory root, Make&& make, Step&& step,
                      const std::function<void()>& tick,
                      void (*around)(std::invoke_result_t<Make>& walker,
                                     const std::function<void()>& work) = nullptr) {
  static_assert(alignof(decltype(make())) >= kWalkerAlignment);
  threads = std::max(1u, threads);
  const Reserves reserves = disk_reserves(threads, around != nullptr);
  const unsigned limit = std::max(threads, reserves.threads);
  std::vector<decltype(make())> walkers;
  walkers.reserve(limit);
  for (unsigned i = 0; i < limit; ++i) walkers.push_back(make());
  std::vector<WalkTask<Node>> roots;
  PrivateFdTable<WalkTask<Node>> fd_tables;
  WalkTask<Node> first{&node, std::move(root), nullptr};
  if (around) {
    fd_tables.around = [&](unsigned worker, const auto& work) { around(walkers[worker], work); };
    fd_tables.give_away = [](WalkTask<Node>& task) { task.parent.reset(); };
    step(walkers[0], std::move(first), [&](WalkTask<Node> task) {
      fd_tables.give_away(task);
      roots.push_back(std::move(task));
    });
  } else {
    roots.push_back(std::move(first));
  }
  run_work(
      threads, std::move(roots),
      [&](WalkTask<Node> task, auto&& push, unsigned worker) {
        step(walkers[worker], std::move(task), push);
      },
      tick, reserves, fd_tables);
  return walkers;
}

}  // namespace resident
