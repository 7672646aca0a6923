// JsThread: the way from native threads to an environment's JavaScript thread.
//
// Threads: post() from any thread that ends before the environment does; the rest on the JavaScript
// thread.
#pragma once

#include <napi.h>

#include <functional>

namespace resident {

class JsThread {
 public:
  using Task = std::function<void(Napi::Env)>;

  explicit JsThread(Napi::Env env);

  // False where the environment was ending when this was made; nothing may be posted then.
  bool exists() const { return static_cast<napi_threadsafe_function>(function_) != nullptr; }

  // Runs `task` on the JavaScript thread, after those posted before it; microtasks run in between.
  // A task that the environment does not live to run is destroyed on the JavaScript thread.
  void post(Task task);

  // Whether the event loop waits for tasks. It does not at first.
  void keep_loop_alive(Napi::Env env, bool keep);

 private:
  static void call(Napi::Env env, Napi::Function, std::nullptr_t*, Task* task);
  using ThreadSafeFunction = Napi::TypedThreadSafeFunction<std::nullptr_t, Task, call>;

  ThreadSafeFunction function_;
};

}  // namespace resident
