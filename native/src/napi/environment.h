// Environment: the addon's data for one Node environment (the main thread of a process, or a worker
// thread).
//
// These rules keep lifetimes sound:
// 1. Native threads hold no JavaScript handle. They hold a ticket (of a call) or an id (of a
//    worktree). The JavaScript thread looks up its object, which may be gone.
// 2. stop() ends every native thread, before the environment loses its JsThread. It runs at the
//    "exit" event of the process: process.exit() runs no cleanup hooks but destroys static objects.
//    For a terminated worker it runs as a cleanup hook.
// 3. An open worktree does not keep the event loop alive. A pending call does.
// 4. A garbage-collected Worktree is closed, on a native thread. A WeakMap holds its listeners: a
//    listener that refers to its Worktree does not prevent its collection.
//
// Threads: the JavaScript thread, unless stated otherwise.
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

  // A pending promise, and the data that the call needs until then.
  struct Call {
    JsPromise promise;
    Napi::ObjectReference worktree;  // not collected during its calls; empty: no worktree
    Napi::FunctionReference on_progress;
  };

  // Creates the Environment; `env` owns it. Returns false if `env` is ending already. Also returns
  // false, with a pending exception, if no thread can be started.
  static bool create(Napi::Env env);
  static Environment& of(Napi::Env env) { return *env.GetInstanceData<Environment>(); }

  Environment(Napi::Env env, Napi::Function worktree_class, Napi::Object listeners);
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // Threads: any.
  bool stopped() const { return stopped_; }
  JsThread& js_thread() { return js_thread_; }
  // For questions that belong to no worktree.
  JobQueue& questions() { return questions_; }

  Ticket begin_call(Napi::Env env, Call call);
  // Removes and returns the call, which is finished. Returns nullptr after stop().
  std::unique_ptr<Call> end_call(Napi::Env env, Ticket ticket);
  // Calls the `on_progress` of a pending call.
  void report_progress(Napi::Env env, Ticket ticket, Napi::Value progress);

  // Settles a call with the result after `to_js`. Threads: any.
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

  // A new JavaScript object of the class Worktree, with a session that is not open. Empty if `env`
  // is ending.
  Napi::Object new_worktree(Napi::Env env);
  // For the constructor of WorktreeObject. Returns nullptr if other code called that constructor.
  std::shared_ptr<WorktreeSession> register_worktree(WorktreeObject* object, WorktreeId* id);
  // The object was collected: closes its session.
  void forget_object(WorktreeId id);
  // Notifies the Worktree, if it still exists, with a task per event. Threads: any.
  void post_events(WorktreeId id, bool deltas_wait, std::optional<std::string> gone);
  // Calls WorktreeObject::closed() at the end.
  void close_worktree(WorktreeId id);

  // Keeps `listeners`, an object of functions, for the lifetime of `worktree`.
  void set_listeners(Napi::Object worktree, Napi::Object listeners);
  // The listener `name` of the worktree. Returns nullptr if it is unavailable because `env` is
  // ending.
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
