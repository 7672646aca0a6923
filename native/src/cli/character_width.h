// How many columns of a terminal a character takes.
//
// Source: the Unicode Character Database, version 14 (EastAsianWidth.txt, UnicodeData.txt), by the
// rules that wcwidth() implementations share.
#pragma once

namespace resident {

// 0: drawn over the character before; -1: not to be written to a terminal (control and format
// characters, and what is no character).
int character_width(char32_t character);

}  // namespace resident
