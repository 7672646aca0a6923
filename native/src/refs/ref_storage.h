// How a repository keeps its refs and reflogs.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace resident {

enum class RefStorage : uint8_t { kFiles, kReftable };

// What a value of extensions.refStorage says. kUnsupported for what only git serves: a storage that
// is unknown here, and one at another place ("reftable://<directory>").
Result<RefStorage> parse_ref_storage(std::string_view value);

}  // namespace resident
