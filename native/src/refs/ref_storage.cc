#include "refs/ref_storage.h"

#include <string>

namespace resident {

Result<RefStorage> parse_ref_storage(std::string_view value) {
  if (value == "files") return RefStorage::kFiles;
  if (value == "reftable") return RefStorage::kReftable;
  return Error{ErrorCode::kUnsupported, "extensions.refStorage is " + std::string(value)};
}

}  // namespace resident
