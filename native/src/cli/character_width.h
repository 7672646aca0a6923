// The number of terminal columns that a character takes.
//
// Source: the Unicode Character Database, version 14 (EastAsianWidth.txt, UnicodeData.txt), with
// the rules that wcwidth() implementations share.
#pragma once

namespace resident {

// Returns 0 for a character that is drawn over the character before it. Returns -1 for a value that
// must not be written to a terminal. Such values are control and format characters, and invalid
// characters.
int character_width(char32_t character);

}  // namespace resident
