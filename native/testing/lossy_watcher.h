// LossyWatcher: a real watcher whose queue overflows when the test says so. Its watches live and
// die with their directories, without an event.
//
// Threads: as the wrapped Watcher; lose() on the thread that drains.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "watch/watcher.h"

namespace resident::testing {

class LossyWatcher final : public Watcher {
 public:
  explicit LossyWatcher(std::unique_ptr<Watcher> real) : real_(std::move(real)) {}

  // Drops all events that were not drained yet.
  void lose() {
    (void)real_->drain();
    lost_ = true;
  }
  uint64_t added() const { return added_; }

  using Watcher::add;
  Result<Added> add(const Directory& directory, Scope scope) override {
    ++added_;
    return real_->add(directory, scope);
  }
  Result<Added> add_file(const std::string& path) override { return real_->add_file(path); }
  void remove(WatchId id) override { real_->remove(id); }
  Batch drain() override {
    Batch batch = real_->drain();
    if (!std::exchange(lost_, false)) return batch;
    batch.desync("the queue overflowed", Batch::Lost::kEvents, batch.since());
    return batch;
  }
  bool tells_everything(const Directory& directory) const override {
    return real_->tells_everything(directory);
  }

 private:
  std::unique_ptr<Watcher> real_;
  std::atomic<uint64_t> added_{0};
  bool lost_ = false;
};

}  // namespace resident::testing
