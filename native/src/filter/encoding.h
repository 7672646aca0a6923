// working-tree-encoding: converts file content to UTF-8 with the system's iconv(3). git's rules for
// names and byte order marks apply. Safe from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace resident {

// "UTF-8", "utf8" and similar names: no conversion is needed.
bool is_utf8_name(std::string_view encoding);

// Returns nullopt if git reports an error and keeps the bytes. The causes are:
// - an unknown encoding,
// - content that is invalid in the encoding,
// - a byte order mark that the encoding's name excludes,
// - a missing byte order mark that the encoding's name requires.
std::optional<std::string> encode_to_utf8(std::string_view content, const std::string& encoding);

}  // namespace resident
