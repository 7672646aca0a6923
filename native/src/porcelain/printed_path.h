// Paths in git's output: relative to a directory, with C-style quotes if needed.
#pragma once

#include <string>
#include <string_view>

namespace resident {

// Both `path` and `prefix` are relative to the root of the worktree. The prefix is "" or ends in
// '/'. Returns "./" for the prefix itself.
std::string relative_path(std::string_view path, std::string_view prefix);

enum class QuoteSpaces : bool { kNo, kYes };  // kYes: quote a path with a space too

void append_quoted(std::string& out, std::string_view path, bool quote_high_bytes,
                   QuoteSpaces spaces);

// Appends a byte of a quoted path in the form that it has between the quotes.
void append_in_quotes(std::string& out, char byte, bool quote_high_bytes);

}  // namespace resident
