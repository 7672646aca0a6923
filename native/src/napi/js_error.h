// Errors as JavaScript sees them: an Error (or TypeError) with a `code`, as native.d.ts lists them.
#pragma once

#include <napi.h>

#include <string>

#include "base/result.h"

namespace resident {

// `code` is the ErrorCode's name without its k.
Napi::Value error_to_js(Napi::Env env, const Error& error);

// What a call gets that comes after close(), or while the environment ends; code "Closed".
Napi::Value closed_error(Napi::Env env);

// A wrong argument; to be returned from at once. Code "Invalid".
void throw_type_error(Napi::Env env, const std::string& message);
void throw_error(Napi::Env env, Napi::Value error);

// Calls a listener that belongs to the caller (or does nothing, where there is none). What it
// throws becomes an uncaught exception, as from a timer.
void call_listener(Napi::Env env, napi_value listener,
                   const std::initializer_list<napi_value>& args);

}  // namespace resident
