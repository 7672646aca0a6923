// AnswerPrinter: prints status answers for the clients of one worktree. Small answers are printed
// at once. Big ones are printed on the workers of the process, while the worktree's turns go on.
//
// Bounded: one big answer is printed at a time, and Limits::waiting_rows bounds the rows that wait.
// Beyond that bound the caller prints. Printed bytes belong to the socket's server, which has a
// bound of its own (SocketServer::Limits).
//
// Threads: any. The destructor waits for the answer that is being printed. It drops the waiting
// ones: their clients get no answer.
#pragma once

#include <deque>
#include <memory>

#include "base/thread_annotations.h"
#include "ipc/socket_server.h"
#include "parallel/executor.h"
#include "verbs/status_question.h"

namespace resident {

class AnswerPrinter final : private Executor::Owner {
 public:
  using Asked = std::shared_ptr<SocketServer::Question>;
  struct Limits {
    size_t big_rows = 1'000;        // printed in about 0.1 ms
    size_t waiting_rows = 250'000;  // a single answer may have more
  };

  explicit AnswerPrinter(std::shared_ptr<Executor> executor) : AnswerPrinter(executor, Limits()) {}
  AnswerPrinter(std::shared_ptr<Executor> executor, Limits limits);
  ~AnswerPrinter() override;
  AnswerPrinter(const AnswerPrinter&) = delete;
  AnswerPrinter& operator=(const AnswerPrinter&) = delete;

  // Throws std::bad_alloc or std::length_error if the caller prints and memory runs out.
  void send(Asked asked, StatusAnswer answer) EXCLUDES(mutex_);

 private:
  struct Waiting {
    Asked asked;
    StatusAnswer answer;
    size_t rows;
  };

  Executor::Clock::time_point turn() override EXCLUDES(mutex_);

  const std::shared_ptr<Executor> executor_;
  const Limits limits_;
  size_t printed_rows_ = 0;  // since the last trim_heap(); used only in turns
  Mutex mutex_;
  std::deque<Waiting> waiting_ GUARDED_BY(mutex_);
  size_t waiting_rows_ GUARDED_BY(mutex_) = 0;
};

}  // namespace resident
