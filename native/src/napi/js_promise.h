// Promises that can be created and settled while an environment ends.
//
// Once a worker is terminated, every Node-API call that could run JavaScript fails. This can happen
// between any two of our lines. node-addon-api then returns empty handles, or uninitialised handles
// for Promise::Deferred, and their use is fatal.
//
// Two rules follow. Calls that can run JavaScript are made directly here and in js_error.cc. All
// other code tests the result of such a call with IsEmpty() before its use.
#pragma once

#include <napi.h>

namespace resident {

class JsPromise {
 public:
  explicit JsPromise(Napi::Env env) : env_(env) {
    if (napi_create_promise(env, &deferred_, &promise_) != napi_ok) deferred_ = nullptr;
  }

  // The promise; empty if it could not be created. Valid only during the call that created it.
  Napi::Value value() const { return {env_, deferred_ == nullptr ? nullptr : promise_}; }

  // Call only one of these two, once.
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
