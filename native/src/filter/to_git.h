// The content of a file in the form that git would hash.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "filter/conversion.h"

namespace resident {

// Returns the content of the path's blob in the index: stage 0, else stage 2 ("ours"), else
// nullopt. It is called only for EolConversion::kAuto with a content that has CRLF and does not
// look binary.
using IndexBlob = std::function<std::optional<std::string>()>;

// Returns the bytes that git hashes in place of `content`, or nullopt if git hashes `content`
// itself. `conversion` must not be kExternal.
//
// If the encoding fails, git prints an error and continues with the unconverted bytes. This
// function does the same, and sets `encoding_failed` unless it is null.
std::optional<std::string> to_git(std::string_view content, const Conversion& conversion,
                                  const IndexBlob& index_blob, bool* encoding_failed = nullptr);

}  // namespace resident
