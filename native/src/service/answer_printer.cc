#include "service/answer_printer.h"

#include <new>
#include <stdexcept>
#include <utility>

#include "ipc/message_fields.h"
#include "os/memory.h"

namespace resident {

namespace {

// Rows that leave enough free memory for a trim.
constexpr size_t kRowsForTrim = 100'000;

void print(SocketServer::Question& asked, StatusAnswer answer) {
  try {
    return asked.answer(encode_reply(answer));
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  // The error needs memory too.
  answer = StatusAnswer();
  asked.answer(encode_error("not enough memory to print the status"));
}

}  // namespace

AnswerPrinter::AnswerPrinter(std::shared_ptr<Executor> executor, Limits limits)
    : executor_(std::move(executor)), limits_(limits) {
  executor_->add(*this);
}

AnswerPrinter::~AnswerPrinter() {
  executor_->remove(*this);
}

void AnswerPrinter::send(Asked asked, StatusAnswer answer) {
  const size_t rows = rows_to_print(answer);
  if (rows < limits_.big_rows) return asked->answer(encode_reply(answer));
  {
    MutexLock lock(mutex_);
    const bool has_room = waiting_.empty() || waiting_rows_ + rows <= limits_.waiting_rows;
    if (has_room) {
      waiting_.push_back({std::exchange(asked, nullptr), std::move(answer), rows});
      waiting_rows_ += rows;
    }
  }
  if (asked) return asked->answer(encode_reply(answer));
  executor_->request(*this);
}

Executor::Clock::time_point AnswerPrinter::turn() {
  std::deque<Waiting> next;
  {
    MutexLock lock(mutex_);
    if (waiting_.empty()) return Executor::Clock::time_point::max();
    next.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
    waiting_rows_ -= next.front().rows;
  }
  Waiting& item = next.front();
  if (item.asked->is_wanted()) print(*item.asked, std::move(item.answer));
  printed_rows_ += item.rows;
  next.clear();
  if (printed_rows_ >= kRowsForTrim) {
    trim_heap();
    printed_rows_ = 0;
  }
  executor_->request(*this);
  return Executor::Clock::time_point::max();
}

}  // namespace resident
