// Converts text from an encoding to UTF-8.
//
// A port supplies the function. It decides which names of encodings it knows.
//
// Threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace resident {

// nullopt: the encoding is unknown, or the content is invalid in it.
std::optional<std::string> convert_to_utf8(std::string_view content, const char* encoding);

}  // namespace resident
