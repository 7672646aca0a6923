// Converts paths between bytes and JavaScript's UTF-16, per `RepoPath` in extension/protocol.ts.
//
// Valid UTF-8 is decoded. Each other byte becomes the lone surrogate U+DC80..U+DCFF for that byte.
// The conversion loses nothing: repo_path_from_utf16(repo_path_to_utf16(p)) == p for every p.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace resident {

// True if every byte is below 0x80. The UTF-16 text then has the same values as the path's bytes.
bool is_ascii(std::string_view bytes);

struct Utf8Character {
  char32_t code_point = 0;
  size_t length = 0;  // in bytes; 0: no valid sequence starts here
};

// Decodes the first character of `bytes`, which must not be empty. Follows table 3-7 of the Unicode
// standard: overlong forms, surrogates and code points above U+10FFFF are invalid.
Utf8Character first_character(std::string_view bytes);

bool is_utf8(std::string_view bytes);

std::u16string repo_path_to_utf16(std::string_view bytes);

// kInvalid: the text is no path. It has a NUL, or a surrogate that encodes no byte.
Result<std::string> repo_path_from_utf16(std::u16string_view text);

}  // namespace resident
