// Promises that can be made and settled while an environment ends.
//
// From the moment a worker is terminated, every Node-API call that could run JavaScript fails, at
// any point between two of our lines. node-addon-api then hands out empty (or, for
// Promise::Deferred, uninitialised) handles, and using one is fatal. So what can run JavaScript is
// called directly here and in js_error.cc, or its result is tested with IsEmpty() before it is
// used.
#pragma once

#include <napi.h>

namespace resident {

class JsPromise {
 public:
  explicit JsPromise(Napi::Env env) : env_(env) {
    if (napi_create_promise(env, &deferred_, &promise_) != napi_ok) deferred_ = nullptr;
  }

  // The promise, empty where it could not be made; only during the call that made it.
  Napi::Value value() const { return {env_, deferred_ == nullptr ? nullptr : promise_}; }

  // One of them, once.
  void resolve(Napi::Value value) const {
    if (deferred_ != nullptr) napi_resolve_deferred(env_, deferred_, value);
  }
  void reject(Napi::Value error) const {
    if (deferred_ != nullptr) napi_reject_deferred(env_, deferred_, error);
  }

  static Napi::Value rejected(Napi::Env env, Napi::Value error) {
    const JsPromise promise(env);
    promise.reject(error);
    return promise.value();
  }

 private:
  napi_env env_;
  napi_deferred deferred_ = nullptr;
  napi_value promise_ = nullptr;
};

}  // namespace resident
