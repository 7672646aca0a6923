// WorktreeSession: one Resident, the questions to it, and its outgoing deltas. Uses no JavaScript.
//
// Questions go to the Resident at once, and its answers arrive in its turns. Blocking work is a
// job: finding the worktree and ending the Resident.
//
// Threads: all public members from the owner's thread (a JavaScript thread). Only finish() and the
// destructor block. Callbacks and Events come on native threads, or at once if the session is
// closed. They must not block and must not call back. None comes after finish() returned.
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
    // Deltas wait in mailbox(). Called once per empty take().
    std::function<void()> deltas_wait;
    // The worktree went away. No delta follows.
    std::function<void(const std::string& message)> gone;
  };
  using Cancelled = std::shared_ptr<std::atomic<bool>>;
  template <typename T>
  using Done = std::function<void(Result<T>)>;

  explicit WorktreeSession(Events events) : events_(std::move(events)) {}
  ~WorktreeSession() override { finish(); }

  // Call once, before any question.
  void open(std::string path, Resident::Options options, Done<Resident::Identity> done);

  // Questions are answered in the order in which they were asked. Each waits for open(). If the
  // session closes first, the question fails with kCancelled.
  template <typename T>
  void ask(std::function<void(Resident&, Done<T>)> question, Done<T> done) {
    when_open([this, question = std::move(question), done = std::move(done)](Resident* resident) {
      resident ? question(*resident, done) : done(closed_error_);
    });
  }
  // `cancelled` may be set from any thread.
  void rescan(std::function<void(const Resident::RescanProgress&)> progress, Cancelled cancelled,
              Done<Resident::RescanResult> done);

  // Any of the metadata files may have changed. Many calls in a row count as one.
  void metadata_changed();
  void configure(Resident::Configuration configuration);
  void replay();

  DeltaMailbox& mailbox() { return mailbox_; }

  // Cancels everything that can be cancelled, answers pending questions, ends the Resident, and
  // then calls `done`. A second call is ignored.
  void close(std::function<void()> done);
  // Calls close() and waits for its end. Further calls have no effect.
  void finish();

 private:
  void on_delta(StatusDelta delta) override;
  void on_gone(const std::string& message) override { events_.gone(message); }

  // Calls `act` with the Resident, now or at the end of open(). Passes nullptr without a Resident.
  using Act = std::function<void(Resident*)>;
  void when_open(Act act) EXCLUDES(mutex_);
  void opened(Result<std::unique_ptr<Resident>> resident, const Done<Resident::Identity>& done)
      EXCLUDES(mutex_);

  const Events events_;
  // Replays deltas that a slow receiver lost.
  DeltaMailbox mailbox_{[this] { replay(); }};
  std::atomic<bool> closing_ = false;
  const Error closed_error_{ErrorCode::kCancelled, "the worktree was closed"};

  Mutex mutex_;
  bool is_opening_ GUARDED_BY(mutex_) = true;
  std::vector<Act> waiting_ GUARDED_BY(mutex_);  // until the end of open()
  // Set by the job of open(), reset by the job of close().
  std::unique_ptr<Resident> resident_ GUARDED_BY(mutex_);

  // The last member: its jobs end before the members that they use.
  JobQueue jobs_;
};

}  // namespace resident
