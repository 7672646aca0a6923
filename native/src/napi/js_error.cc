#include "napi/js_error.h"

#include "napi/js_path.h"

namespace resident {
namespace {

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound:
      return "NotFound";
    case ErrorCode::kPermission:
      return "Permission";
    case ErrorCode::kIo:
      return "Io";
    case ErrorCode::kCorrupt:
      return "Corrupt";
    case ErrorCode::kUnsupported:
      return "Unsupported";
    case ErrorCode::kInvalid:
      return "Invalid";
    case ErrorCode::kUnsafe:
      return "Unsafe";
    case ErrorCode::kCancelled:
      return "Cancelled";
    case ErrorCode::kPending:
      return "Pending";
  }
  return "Io";
}

}  // namespace

Napi::Value error_to_js(Napi::Env env, const Error& error) {
  napi_value result = nullptr;
  // Messages contain file names, so they are converted like paths.
  napi_create_error(env, Napi::String::New(env, name_of(error.code)),
                    path_to_js(env, error.message), &result);
  return {env, result};
}

Napi::Value closed_error(Napi::Env env) {
  napi_value result = nullptr;
  napi_create_error(env, Napi::String::New(env, "Closed"),
                    Napi::String::New(env, "the worktree is closed"), &result);
  return {env, result};
}

void throw_type_error(Napi::Env env, const std::string& message) {
  napi_value error = nullptr;
  napi_create_type_error(env, Napi::String::New(env, "Invalid"), Napi::String::New(env, message),
                         &error);
  napi_throw(env, error);
}

void throw_error(Napi::Env env, Napi::Value error) {
  napi_throw(env, error);
}

void call_listener(Napi::Env env, napi_value listener,
                   const std::initializer_list<napi_value>& args) {
  if (listener == nullptr) return;
  const napi_status status =
      napi_call_function(env, env.Undefined(), listener, args.size(), args.begin(), nullptr);
  if (status == napi_ok) return;
  napi_value thrown = nullptr;
  // Without a pending exception, the environment is ending and the listener could not be called.
  bool is_pending = false;
  if (napi_is_exception_pending(env, &is_pending) == napi_ok && is_pending &&
      napi_get_and_clear_last_exception(env, &thrown) == napi_ok) {
    napi_fatal_exception(env, thrown);
  }
}

}  // namespace resident
