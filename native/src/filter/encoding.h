// working-tree-encoding: file content to UTF-8 by the system's iconv(3), under git's rules for
// names and byte order marks. Safe from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace resident {

// "UTF-8", "utf8" and the like: nothing to convert.
bool is_utf8_name(std::string_view encoding);

// nullopt where git leaves the bytes as they are and reports an error: an unknown encoding, content
// that is not valid in it, a byte order mark where the encoding's name excludes one or none where
// it needs one.
std::optional<std::string> encode_to_utf8(std::string_view content, const std::string& encoding);

}  // namespace resident
