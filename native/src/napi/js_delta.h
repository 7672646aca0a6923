// Converts a delta to the object `Delta` of native.d.ts.
#pragma once

#include <napi.h>

#include "delta/delta_mailbox.h"

namespace resident {

Napi::Value delta_to_js(Napi::Env env, const DeltaChunk& chunk);

}  // namespace resident
