// Text for a terminal, measured in columns.
//
// Printable text is UTF-8 without control and format characters, and with few marks per character.
// It only moves the cursor to the right, whatever bytes it came from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace resident {

// Replaces unprintable bytes by escapes such as "\302\205", like in git's quotes.
std::string printable_text(std::string_view bytes);

// Quotes like git (core.quotePath is `quote_high_bytes`). Unprintable characters are quoted too.
std::string printable_path(std::string_view path, bool quote_high_bytes);

// The columns of printable text.
size_t columns_of(std::string_view text);

// Shortens printable text to at most `columns`. "…" replaces its end, or its front.
std::string cut_end(std::string_view text, size_t columns);
std::string cut_front(std::string_view text, size_t columns);

}  // namespace resident
