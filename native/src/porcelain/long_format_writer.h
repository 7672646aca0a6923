// Writes the lines of the long format, each with a colour. Adds the comment character if the config
// asks for it.
//
// The colour is set and reset around each piece of each line, also around an empty piece. Newlines
// have no colour. Source: git's wt-status.c (status_vprintf) and color.c.
#pragma once

#include <string>
#include <string_view>

#include "porcelain/porcelain.h"

namespace resident {

class LongFormatWriter {
 public:
  LongFormatWriter(const PrintOptions& options, std::string& out);

  const StatusPalette& palette() const { return palette_; }
  // The colour of the name after "On branch".
  const std::string& branch_color() const {
    return palette_.on_branch ? *palette_.on_branch : palette_.header;
  }
  bool hints() const { return options_.long_format.hints; }
  const GitRules& rules() const { return options_.rules; }

  // Writes whole lines. `text` may contain several.
  void line(std::string_view color, std::string_view text);
  void header(std::string_view text) { line(palette_.header, text); }
  // Writes a header that is advice. Writes nothing without advice.statusHints.
  void hint(std::string_view text) {
    if (hints()) header(text);
  }
  void empty_header() { header(""); }

  // Write the beginning of a line and its further pieces. A piece may end the line with a newline.
  void begin(std::string_view color, std::string_view text);
  void piece(std::string_view color, std::string_view text);
  // Writes without the comment character.
  void colored(std::string_view color, std::string_view text);
  void plain(std::string_view text) { out_ += text; }

  // The path in the form that the options ask for: relative and quoted.
  std::string path(std::string_view path) const;
  std::string_view comment() const { return comment_; }

 private:
  enum class At : bool { kLineStart, kWithin };
  void print(At at, std::string_view color, std::string_view text, std::string_view trail);

  const PrintOptions& options_;
  const StatusPalette palette_;
  const std::string comment_;  // "" or the comment character
  std::string& out_;
};

}  // namespace resident
