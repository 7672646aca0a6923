// Environment: what the addon keeps for one Node environment (a process's main thread, or a worker
// thread).
//
// What keeps lifetimes sound:
//   1. Native threads hold no JavaScript handle. They carry a ticket (a call's) or an id (a
//   worktree's), and what
//      these stand for is looked up on the JavaScript thread, where it may be gone.
//   2. Every native thread ends in stop(), which runs before the environment loses its JsThread: at
//   the process's
//      "exit" event, because process.exit() runs no cleanup hooks but does destroy static objects,
//      and as a cleanup hook, for a worker that is terminated.
//   3. An open worktree does not keep the event loop alive; a call under way does.
//   4. A Worktree that is garbage collected is closed, on a native thread. Its listeners hang on it
//   in a WeakMap,
//      so that a listener that refers to its Worktree does not keep it from being collected.
//
// Threads: JavaScript's, where not said otherwise.
#pragma once

#include <napi.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "napi/job_queue.h"
#include "napi/js_error.h"
#include "napi/js_promise.h"
#include "napi/js_thread.h"
#include "napi/worktree_session.h"

namespace resident {

class WorktreeObject;

class Environment {
 public:
  using Ticket = uint64_t;
  using WorktreeId = uint64_t;

  // A promise that is to be settled, and what the call needs until then.
  struct Call {
    JsPromise promise;
    Napi::ObjectReference worktree;  // not collected during its calls; empty for a call without one
    Napi::FunctionReference on_progress;
  };

  // Owned by `env` from here on. False where that is ending already, or, with an exception pending,
  // where no thread can be had.
  static bool create(Napi::Env env);
  static Environment& of(Napi::Env env) { return *env.GetInstanceData<Environment>(); }

  Environment(Napi::Env env, Napi::Function worktree_class, Napi::Object listeners);
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // From any thread.
  bool stopped() const { return stopped_; }
  JsThread& js_thread() { return js_thread_; }
  // For questions that belong to no worktree.
  JobQueue& questions() { return questions_; }

  Ticket begin_call(Napi::Env env, Call call);
  // The call, which is over now; nullptr after stop().
  std::unique_ptr<Call> end_call(Napi::Env env, Ticket ticket);
  // Calls the `on_progress` of a call that is still under way.
  void report_progress(Napi::Env env, Ticket ticket, Napi::Value progress);

  // From any thread: settles a call with what `to_js` makes of the result.
  template <typename T, typename ToJs>
  void settle(Ticket ticket, Result<T> result, ToJs to_js) {
    auto shared = std::make_shared<Result<T>>(std::move(result));
    js_thread_.post([this, ticket, shared, to_js](Napi::Env env) {
      const std::unique_ptr<Call> call = end_call(env, ticket);
      if (!call) return;
      if (shared->ok()) {
        call->promise.resolve(to_js(env, **shared));
      } else {
        call->promise.reject(error_to_js(env, shared->error()));
      }
    });
  }

  // A new JavaScript object of the class Worktree, whose session is not open; empty where `env`
  // ends.
  Napi::Object new_worktree(Napi::Env env);
  // For the constructor of WorktreeObject: nullptr where it was called by someone else.
  std::shared_ptr<WorktreeSession> register_worktree(WorktreeObject* object, WorktreeId* id);
  // The object was collected: closes its session.
  void forget_object(WorktreeId id);
  // From any thread: tells the Worktree, where it still exists, in a task for each event.
  void post_events(WorktreeId id, bool deltas_wait, std::optional<std::string> gone);
  // Ends with WorktreeObject::closed().
  void close_worktree(WorktreeId id);

  // Keeps `listeners`, an object of functions, for as long as `worktree` lives.
  void set_listeners(Napi::Object worktree, Napi::Object listeners);
  // The function `name` of them; nullptr where it cannot be had because `env` ends.
  napi_value listener(Napi::Object worktree, const char* name);

 private:
  struct Worktree {
    std::shared_ptr<WorktreeSession> session;
    WorktreeObject* object = nullptr;  // nullptr once collected
  };

  void stop();
  WorktreeObject* find_object(WorktreeId id);
  void reap_worktree(Napi::Env env, WorktreeId id);

  std::atomic<bool> stopped_ = false;
  bool constructing_ = false;
  uint64_t next_id_ = 1;
  std::map<Ticket, std::unique_ptr<Call>> calls_;
  std::map<WorktreeId, Worktree> worktrees_;
  Napi::FunctionReference worktree_class_;
  Napi::ObjectReference listeners_;  // a WeakMap
  JsThread js_thread_;
  JobQueue questions_;
};

}  // namespace resident
