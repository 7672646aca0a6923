// Finds the blob of a path in HEAD or in the index.
#pragma once

#include <optional>
#include <string_view>

#include "model/model_view.h"

namespace resident {

// The blob in HEAD (stage -1) or in the index (stage 0..3, also below a sparse directory); nullopt:
// no such file.
Result<std::optional<ObjectId>> find_blob(const ModelView& view, std::string_view path, int stage);

}  // namespace resident
