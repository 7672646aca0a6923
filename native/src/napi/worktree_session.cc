#include "napi/worktree_session.h"

#include <utility>

namespace resident {

void WorktreeSession::open(std::string path, Resident::Options options,
                           Done<Resident::Identity> done) {
  questions_.post([this, path = std::move(path), options, done = std::move(done)] {
    if (closing_) return done(closed_error_);
    Result<std::unique_ptr<Resident>> opened = Resident::open(path, options, *this);
    if (!opened.ok()) return done(std::move(opened).error());
    {
      MutexLock lock(mutex_);
      resident_ = std::move(opened).value();
    }
    // close() may have looked for it just before.
    if (closing_) resident_->stop();
    done(resident_->identity());
  });
}

Error* WorktreeSession::unavailable() {
  return closing_ || !resident_ ? &closed_error_ : nullptr;
}

void WorktreeSession::rescan(std::function<void(const Resident::RescanProgress&)> progress,
                             Cancelled cancelled, Done<Resident::RescanResult> done) {
  {
    MutexLock lock(mutex_);
    std::erase_if(rescans_under_way_, [](const auto& rescan) { return rescan.expired(); });
    rescans_under_way_.push_back(cancelled);
  }
  rescans_.post([this, progress = std::move(progress), cancelled = std::move(cancelled),
                 done = std::move(done)] {
    if (Error* error = unavailable()) return done(*error);
    done(resident_->rescan(progress, *cancelled));
  });
}

void WorktreeSession::metadata_changed() {
  if (metadata_change_posted_.exchange(true)) return;
  questions_.post([this] {
    // First, so that a change that comes from now on is told again.
    metadata_change_posted_ = false;
    if (!unavailable()) resident_->metadata_changed();
  });
}

void WorktreeSession::set_sweep(std::chrono::milliseconds within) {
  questions_.post([this, within] {
    if (!unavailable()) resident_->set_sweep(within);
  });
}

void WorktreeSession::replay() {
  questions_.post([this] {
    if (!unavailable()) resident_->replay();
  });
}

void WorktreeSession::interrupt() {
  MutexLock lock(mutex_);
  if (resident_) resident_->stop();
  for (const auto& rescan : rescans_under_way_) {
    if (const Cancelled cancelled = rescan.lock()) *cancelled = true;
  }
}

void WorktreeSession::close(std::function<void()> done) {
  if (closing_.exchange(true)) return;
  interrupt();
  questions_.post([this, done = std::move(done)] {
    rescans_.finish();
    std::unique_ptr<Resident> ended;
    {
      MutexLock lock(mutex_);
      ended = std::move(resident_);
    }
    ended.reset();
    done();
  });
}

void WorktreeSession::finish() {
  close([] {});
  questions_.finish();
}

void WorktreeSession::on_delta(StatusDelta delta) {
  if (mailbox_.put(std::move(delta))) events_.deltas_wait();
}

}  // namespace resident
