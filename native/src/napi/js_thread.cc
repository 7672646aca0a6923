#include "napi/js_thread.h"

#include <memory>
#include <utility>

namespace resident {

JsThread::JsThread(Napi::Env env)
    : function_(ThreadSafeFunction::New(env, "resident-git", /*maxQueueSize=*/0,
                                        /*initialThreadCount=*/1)) {
  function_.Unref(env);
}

void JsThread::post(Task task) {
  auto owned = std::make_unique<Task>(std::move(task));
  if (function_.NonBlockingCall(owned.get()) == napi_ok) (void)owned.release();
}

void JsThread::keep_loop_alive(Napi::Env env, bool keep) {
  keep ? function_.Ref(env) : function_.Unref(env);
}

void JsThread::call(Napi::Env env, Napi::Function, std::nullptr_t*, Task* task) {
  const std::unique_ptr<Task> owned(task);
  // Without an environment, it is being torn down. No call is possible any more.
  if (static_cast<napi_env>(env) != nullptr) (*owned)(env);
}

}  // namespace resident
