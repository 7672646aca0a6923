// The content of a file as git would hash it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "filter/conversion.h"

namespace resident {

// The content of the path's blob in the index: stage 0, or stage 2 ("ours") where there is no stage
// 0; nullopt where there is none. Asked only where the answer matters: for EolConversion::kAuto
// with a content that has CRLF and does not look binary.
using IndexBlob = std::function<std::optional<std::string>()>;

// nullopt: git hashes `content` as it is. Otherwise what it hashes instead. `conversion` is not
// kExternal.
//
// Where the encoding fails, git complains and goes on with the bytes as they are; so does this, and
// sets `encoding_failed` unless that is null.
std::optional<std::string> to_git(std::string_view content, const Conversion& conversion,
                                  const IndexBlob& index_blob, bool* encoding_failed = nullptr);

}  // namespace resident
