// Text for a terminal, measured in its columns.
//
// Printable text is UTF-8 without control and format characters, with few marks on one character:
// whatever bytes it was made of, it moves the cursor to the right alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace resident {

// What is not printable becomes "\302\205", as between git's quotes.
std::string printable_text(std::string_view bytes);

// Quoted as git quotes it (core.quotePath is `quote_high_bytes`), also for what is not printable.
std::string printable_path(std::string_view path, bool quote_high_bytes);

// Of printable text.
size_t columns_of(std::string_view text);

// Printable text in so many columns at most: its end, or its front, gives way to "…".
std::string cut_end(std::string_view text, size_t columns);
std::string cut_front(std::string_view text, size_t columns);

}  // namespace resident
