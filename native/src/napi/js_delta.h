// Converts deltas and answers to objects: `Delta` of native.d.ts, `StatusResult` of protocol.ts.
#pragma once

#include <napi.h>

#include "delta/delta_mailbox.h"

namespace resident {

Napi::Value delta_to_js(Napi::Env env, const DeltaChunk& chunk);
Napi::Value status_to_js(Napi::Env env, const StatusResult& status);

}  // namespace resident
