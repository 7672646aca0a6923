// Paths as git prints them: relative to a directory, quoted like a C string where they need it.
#pragma once

#include <string>
#include <string_view>

namespace resident {

// `path` and `prefix` from the worktree's root; the prefix is "" or ends in '/'. "./" for the
// prefix itself.
std::string relative_path(std::string_view path, std::string_view prefix);

enum class QuoteSpaces : bool { kNo, kYes };  // kYes: a path with a space is quoted as well

void append_quoted(std::string& out, std::string_view path, bool quote_high_bytes,
                   QuoteSpaces spaces);

// A byte of a path that is quoted, as it stands between the quotes.
void append_in_quotes(std::string& out, char byte, bool quote_high_bytes);

}  // namespace resident
