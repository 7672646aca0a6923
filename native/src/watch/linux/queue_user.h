// QueueUser: a watcher's membership in a queue that the whole process shares. `Queue` is derived
// from WatchQueue. The watcher joins the queue at its first use. If the queue cannot be had, each
// later use tries again.
//
// Threads: any.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "watch/linux/watch_queue.h"
#include "watch/pending_changes.h"

namespace resident {

template <typename Queue>
class QueueUser {
 public:
  // `wake`: see WatchQueue::add_watcher().
  explicit QueueUser(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~QueueUser() {
    MutexLock lock(mutex_);
    if (queue_) queue_->remove_watcher(number_);
  }
  QueueUser(const QueueUser&) = delete;
  QueueUser& operator=(const QueueUser&) = delete;

  // Joins the queue if necessary. Null: the queue cannot be had now.
  Queue* queue() EXCLUDES(mutex_) {
    if (Queue* found = joined()) return found;
    MutexLock lock(mutex_);
    if (queue_) return queue_.get();
    Result<std::shared_ptr<Queue>> found = Queue::of_process();
    if (!found.ok()) {
      refusal_ = found.error().message;
      return nullptr;
    }
    refusal_.clear();
    queue_ = std::move(found).value();
    number_ = queue_->add_watcher(pending_, wake_);
    joined_.store(queue_.get(), std::memory_order_release);
    return queue_.get();
  }
  // Null until the queue is joined.
  Queue* joined() const { return joined_.load(std::memory_order_acquire); }
  // The reason why the queue cannot be had; empty if it can.
  std::string refusal() const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return refusal_;
  }
  // The watcher's number in the queue; meaningless before joining.
  WatchQueue::WatcherNumber number() const { return number_; }

  Batch drain() {
    if (Queue* queue = joined()) queue->read(number_);
    return pending_.take();
  }
  void remove(WatchId id) {
    if (Queue* queue = joined()) queue->remove_watch(number_, id);
  }

 private:
  const std::function<void()> wake_;
  PendingChanges pending_;
  mutable Mutex mutex_;
  std::shared_ptr<Queue> queue_ GUARDED_BY(mutex_);
  std::string refusal_ GUARDED_BY(mutex_);
  // Constant after joining.
  std::atomic<Queue*> joined_ = nullptr;
  WatchQueue::WatcherNumber number_ = 0;
};

}  // namespace resident
