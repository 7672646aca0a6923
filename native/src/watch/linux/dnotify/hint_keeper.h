// HintKeeper: open directories of which the kernel hints (see DirectoryHints), kept by a thread
// that has a table of descriptors of its own. So they take nothing of what this process may open,
// and no program that it starts is given them first. Where a rule forbids a table of its own
// (unshare(2)), they are in the one that all threads have.
//
// Nothing is opened here that can hang: directories of local file systems.
//
// Threads: one at a time.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"

namespace resident {

class HintKeeper {
 public:
  // Numbers of its descriptors are below this.
  static constexpr int kDescriptors = 1 << 20;

  // What happens in its directories is sent as `signal`, with the descriptor's number, to
  // `receiver`. Fails where there is no thread to be had.
  static Result<std::unique_ptr<HintKeeper>> start(int signal, pid_t receiver);
  ~HintKeeper();

  // Opens as many of the first of these absolute paths as there is room for, and appends the
  // descriptor's number for each, for which `descriptors` has room; -1 for one that could not be
  // opened, or that the kernel gives no hints of.
  void open(std::span<const std::string> paths, std::vector<int>& descriptors);
  void close(const std::vector<int>& descriptors);

  bool is_full() const { return kept_ >= most_; }
  bool has_own_table() const { return has_own_table_; }

 private:
  HintKeeper(int signal, pid_t receiver) : signal_(signal), receiver_(receiver) {}

  // On the thread; returns when it is done.
  void run(std::function<void()> work) EXCLUDES(mutex_);
  void work_loop() EXCLUDES(mutex_);
  void set_up_fd_table();
  int open_one(const char* path) const;

  const int signal_;
  const pid_t receiver_;
  bool has_own_table_ = false;
  size_t kept_ = 0;
  size_t most_ = 0;

  Mutex mutex_;
  ConditionVariable changed_;
  std::function<void()> work_ GUARDED_BY(mutex_);  // null: there is none
  bool stops_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace resident
