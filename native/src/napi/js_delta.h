// A delta as the object that native.d.ts declares as `Delta`.
#pragma once

#include <napi.h>

#include "delta/delta_mailbox.h"

namespace resident {

Napi::Value delta_to_js(Napi::Env env, const DeltaChunk& chunk);

}  // namespace resident
