// Paths between bytes and JavaScript's UTF-16, as extension/protocol.ts defines `RepoPath`.
//
// Valid UTF-8 is decoded; each byte that is not part of a valid sequence becomes the lone surrogate
// U+DC80..U+DCFF of that byte. No path is lost: repo_path_from_utf16(repo_path_to_utf16(p)) == p
// for all p.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace resident {

// True where every byte is below 0x80, so that the text has the path's own bytes.
bool is_ascii(std::string_view bytes);

struct Utf8Character {
  char32_t code_point = 0;
  size_t length = 0;  // in bytes; 0: no valid sequence starts here
};

// The sequence at the front of `bytes`, which is not empty. Follows table 3-7 of the Unicode
// standard, so that overlong forms, surrogates and what lies above U+10FFFF are not valid.
Utf8Character first_character(std::string_view bytes);

bool is_utf8(std::string_view bytes);

std::u16string repo_path_to_utf16(std::string_view bytes);

// kInvalid for text that is no path: a NUL, or a surrogate that stands for no byte.
Result<std::string> repo_path_from_utf16(std::u16string_view text);

}  // namespace resident
