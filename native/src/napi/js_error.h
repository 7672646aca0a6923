// JavaScript errors: an Error (or TypeError) with a `code` from the list in native.d.ts.
#pragma once

#include <napi.h>

#include <string>

#include "base/result.h"

namespace resident {

// `code` is the name of the ErrorCode without its k.
Napi::Value error_to_js(Napi::Env env, const Error& error);

// The error of a call after close(), or while the environment ends. Its code is "Closed".
Napi::Value closed_error(Napi::Env env);

// Throws for a wrong argument, with code "Invalid". The caller must return at once.
void throw_type_error(Napi::Env env, const std::string& message);
void throw_error(Napi::Env env, Napi::Value error);

// Calls a listener of the caller, or does nothing without a listener. An exception of the listener
// becomes an uncaught exception, like in a timer.
void call_listener(Napi::Env env, napi_value listener,
                   const std::initializer_list<napi_value>& args);

}  // namespace resident
