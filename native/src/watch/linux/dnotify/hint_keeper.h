// HintKeeper: holds directories open for kernel hints (see DirectoryHints), on a thread with its
// own descriptor table. These descriptors do not count for this process's limit, and programs that
// it starts do not inherit them. If a rule forbids a private table (unshare(2)), they are in the
// table of all threads.
//
// Opening must not hang: it opens only directories of local file systems.
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
  // Upper bound of its descriptors' numbers.
  static constexpr int kDescriptors = 1 << 20;

  // Hints of its directories go to the thread `receiver` as `signal`, with the descriptor's number.
  // Fails if no thread can be started.
  static Result<std::unique_ptr<HintKeeper>> start(int signal, pid_t receiver);
  ~HintKeeper();

  // Opens the first of these absolute paths, as many as there is room for. For each, appends the
  // descriptor's number to `descriptors`, which must have capacity for it. The number is -1 if the
  // path cannot be opened, or the kernel gives no hints for it.
  void open(std::span<const std::string> paths, std::vector<int>& descriptors);
  void close(const std::vector<int>& descriptors);

  bool is_full() const { return kept_ >= most_; }
  bool has_own_table() const { return has_own_table_; }

 private:
  HintKeeper(int signal, pid_t receiver) : signal_(signal), receiver_(receiver) {}

  // Runs `work` on the keeper's thread, and returns when it is done.
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
  std::function<void()> work_ GUARDED_BY(mutex_);  // null: no work
  bool stops_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace resident
