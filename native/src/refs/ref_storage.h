// The storage format of a repository's refs and reflogs.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace resident {

enum class RefStorage : uint8_t { kFiles, kReftable };

// Parses a value of extensions.refStorage. kUnsupported: an unknown format, or a storage in another
// place ("reftable://<directory>"). Only git can read these.
Result<RefStorage> parse_ref_storage(std::string_view value);

}  // namespace resident
