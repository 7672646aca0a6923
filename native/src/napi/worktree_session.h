// WorktreeSession: one Resident, the questions to it, and its deltas on their way out. Knows no
// JavaScript.
//
// A Resident's questions block; here they are jobs of two queues: one for rescans, which take long,
// and one for everything else. Answers come back through callbacks, in those jobs.
//
// Threads: all public members from the owner's thread (a JavaScript thread), none of them blocks
// but finish() and the destructor. Callbacks and Events come on native threads, must not block and
// must not call back. None comes after finish() returned.
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
#include "model/delta_mailbox.h"
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
  void ask(std::function<Result<T>(Resident&)> question, Done<T> done) {
    questions_.post([this, question = std::move(question), done = std::move(done)] {
      if (Error* error = unavailable()) return done(*error);
      done(question(*resident_));
    });
  }
  // `cancelled` may be set from any thread.
  void rescan(std::function<void(const Resident::RescanProgress&)> progress, Cancelled cancelled,
              Done<Resident::RescanResult> done);

  // One of the metadata files may have changed. Many calls in a row are one.
  void metadata_changed();
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

  // Why no question can be asked now; in a job.
  Error* unavailable();
  // Ends what a question or a rescan waits for.
  void interrupt() EXCLUDES(mutex_);

  const Events events_;
  // What was lost by a receiver that lagged too far is replayed.
  DeltaMailbox mailbox_{[this] { replay(); }};
  std::atomic<bool> closing_ = false;
  std::atomic<bool> metadata_change_posted_ = false;

  // Set by open()'s job and reset by close()'s, both on questions_ under mutex_; rescans_ runs only
  // between the two.
  std::unique_ptr<Resident> resident_;
  Error closed_error_{ErrorCode::kCancelled, "the worktree was closed"};

  Mutex mutex_;
  std::vector<std::weak_ptr<std::atomic<bool>>> rescans_under_way_ GUARDED_BY(mutex_);

  // Last, so that their jobs end before what they use.
  JobQueue rescans_;
  JobQueue questions_;
};

}  // namespace resident
