// JsThread: posts tasks from native threads to the JavaScript thread of an environment.
//
// Threads: post() from any thread that ends before the environment ends. All other calls on the
// JavaScript thread.
#pragma once

#include <napi.h>

#include <functional>

namespace resident {

class JsThread {
 public:
  using Task = std::function<void(Napi::Env)>;

  explicit JsThread(Napi::Env env);

  // False if the environment was ending when this object was created. post() must not be called
  // then.
  bool exists() const { return static_cast<napi_threadsafe_function>(function_) != nullptr; }

  // Runs `task` on the JavaScript thread, after all tasks posted earlier. Microtasks run in
  // between. If the environment ends before, the task is destroyed on the JavaScript thread without
  // a run.
  void post(Task task);

  // Sets whether the event loop waits for tasks. By default it does not.
  void keep_loop_alive(Napi::Env env, bool keep);

 private:
  static void call(Napi::Env env, Napi::Function, std::nullptr_t*, Task* task);
  using ThreadSafeFunction = Napi::TypedThreadSafeFunction<std::nullptr_t, Task, call>;

  ThreadSafeFunction function_;
};

}  // namespace resident
