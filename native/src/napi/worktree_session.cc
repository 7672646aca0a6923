#include "napi/worktree_session.h"

#include <utility>

namespace resident {

void WorktreeSession::open(std::string path, Resident::Options options,
                           Done<Resident::Identity> done) {
  jobs_.post([this, path = std::move(path), options, done = std::move(done)] {
    if (closing_) return opened(closed_error_, done);
    opened(Resident::open(path, options, *this), done);
  });
}

void WorktreeSession::opened(Result<std::unique_ptr<Resident>> resident,
                             const Done<Resident::Identity>& done) {
  Result<Resident::Identity> identity = closed_error_;
  {
    // Waiting questions come before later questions.
    MutexLock lock(mutex_);
    is_opening_ = false;
    if (resident.ok()) {
      resident_ = std::move(resident).value();
      identity = resident_->identity();
      // close() may have missed the Resident just before.
      if (closing_) resident_->stop();
    } else {
      identity = std::move(resident).error();
    }
    for (const Act& act : std::exchange(waiting_, {})) act(resident_.get());
  }
  done(std::move(identity));
}

void WorktreeSession::when_open(Act act) {
  MutexLock lock(mutex_);
  if (closing_) return act(nullptr);
  if (is_opening_) return waiting_.push_back(std::move(act));
  act(resident_.get());
}

void WorktreeSession::rescan(std::function<void(const Resident::RescanProgress&)> progress,
                             Cancelled cancelled, Done<Resident::RescanResult> done) {
  ask<Resident::RescanResult>(
      [progress = std::move(progress), cancelled = std::move(cancelled)](
          Resident& resident, Done<Resident::RescanResult> told) {
        resident.rescan(progress, cancelled, std::move(told));
      },
      std::move(done));
}

void WorktreeSession::metadata_changed() {
  when_open([](Resident* resident) {
    if (resident) resident->metadata_changed();
  });
}

void WorktreeSession::configure(Resident::Configuration configuration) {
  when_open([configuration = std::move(configuration)](Resident* resident) {
    if (resident) resident->configure(configuration);
  });
}

void WorktreeSession::replay() {
  when_open([](Resident* resident) {
    if (resident) resident->replay();
  });
}

void WorktreeSession::close(std::function<void()> done) {
  if (closing_.exchange(true)) return;
  {
    MutexLock lock(mutex_);
    if (resident_) resident_->stop();
  }
  jobs_.post([this, done = std::move(done)] {
    std::unique_ptr<Resident> ended;
    {
      MutexLock lock(mutex_);
      for (const Act& act : std::exchange(waiting_, {})) act(nullptr);
      ended = std::move(resident_);
    }
    // The destructor answers pending questions.
    ended.reset();
    done();
  });
}

void WorktreeSession::finish() {
  close([] {});
  jobs_.finish();
}

void WorktreeSession::on_delta(StatusDelta delta) {
  if (mailbox_.put(std::move(delta))) events_.deltas_wait();
}

}  // namespace resident
