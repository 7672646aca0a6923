// WorktreeSession: one Resident, the questions to it, and its deltas on their way out. Knows no
// JavaScript.
//
// Questions go to the Resident as they are asked, and its answers come back in its turns. What
// blocks, to find the worktree and to end the Resident, is a job.
//
// Threads: all public members from the owner's thread (a JavaScript thread), none of them blocks
// but finish() and the destructor. Callbacks and Events come on native threads, or at once where
// the session is closed, must not block and must not call back. None comes after finish() returned.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "delta/delta_mailbox.h"
#include "napi/job_queue.h"
#include "service/resident.h"

namespace resident {

class WorktreeSession final : private Resident::Listener {
 public:
  struct Events {
    // Deltas wait in mailbox(). Once per empty take().
    std::function<void()> deltas_wait;
    // The worktree went away; no delta follows.
    std::function<void(const std::string& message)> gone;
  };
  using Cancelled = std::shared_ptr<std::atomic<bool>>;
  template <typename T>
  using Done = std::function<void(Result<T>)>;

  explicit WorktreeSession(Events events) : events_(std::move(events)) {}
  ~WorktreeSession() override { finish(); }

  // Once, before anything else is asked.
  void open(std::string path, Resident::Options options, Done<Resident::Identity> done);

  // Questions are answered in the order asked; each waits for open(). kCancelled where the session
  // is closed before its turn comes.
  template <typename T>
  void ask(std::function<void(Resident&, Done<T>)> question, Done<T> done) {
    when_open([this, question = std::move(question), done = std::move(done)](Resident* resident) {
      resident ? question(*resident, done) : done(closed_error_);
    });
  }
  // `cancelled` may be set from any thread.
  void rescan(std::function<void(const Resident::RescanProgress&)> progress, Cancelled cancelled,
              Done<Resident::RescanResult> done);

  // One of the metadata files may have changed. Many calls in a row are one.
  void metadata_changed();
  void attend(Resident::Attention attention);
  void want_details(bool wanted);
  void set_sweep(std::chrono::milliseconds within);
  void replay();

  DeltaMailbox& mailbox() { return mailbox_; }

  // Cancels what can be cancelled, answers what was asked, ends the Resident, then calls `done`. A
  // second call is ignored.
  void close(std::function<void()> done);
  // close() and wait for its end. Again without effect.
  void finish();

 private:
  void on_delta(StatusDelta delta) override;
  void on_gone(const std::string& message) override { events_.gone(message); }

  // Calls `act` with the Resident: now, or at the end of open(); with nullptr where there is none.
  using Act = std::function<void(Resident*)>;
  void when_open(Act act) EXCLUDES(mutex_);
  void opened(Result<std::unique_ptr<Resident>> resident, const Done<Resident::Identity>& done)
      EXCLUDES(mutex_);

  const Events events_;
  // What was lost by a receiver that lagged too far is replayed.
  DeltaMailbox mailbox_{[this] { replay(); }};
  std::atomic<bool> closing_ = false;
  const Error closed_error_{ErrorCode::kCancelled, "the worktree was closed"};

  Mutex mutex_;
  bool is_opening_ GUARDED_BY(mutex_) = true;
  std::vector<Act> waiting_ GUARDED_BY(mutex_);  // for the end of open()
  // Set by open()'s job and reset by close()'s.
  std::unique_ptr<Resident> resident_ GUARDED_BY(mutex_);

  // Last, so that its jobs end before what they use.
  JobQueue jobs_;
};

}  // namespace resident
