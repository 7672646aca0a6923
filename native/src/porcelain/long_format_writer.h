// Writes the lines of the long format: in one colour each, behind the comment character where the
// config asks for it.
//
// A colour is set and reset around each piece of each line, an empty piece too; newlines are plain.
// Source: git's wt-status.c (status_vprintf) and color.c.
#pragma once

#include <string>
#include <string_view>

#include "porcelain/porcelain.h"

namespace resident {

class LongFormatWriter {
 public:
  LongFormatWriter(const PrintOptions& options, std::string& out);

  const StatusPalette& palette() const { return palette_; }
  // What follows "On branch".
  const std::string& branch_color() const {
    return palette_.on_branch ? *palette_.on_branch : palette_.header;
  }
  bool hints() const { return options_.long_format.hints; }
  const GitRules& rules() const { return options_.rules; }

  // Lines of their own: `text` may hold several.
  void line(std::string_view color, std::string_view text);
  void header(std::string_view text) { line(palette_.header, text); }
  // A header that is advice, left out without advice.statusHints.
  void hint(std::string_view text) {
    if (hints()) header(text);
  }
  void empty_header() { header(""); }

  // The beginning of a line, and its pieces; a piece may end the line with its newline.
  void begin(std::string_view color, std::string_view text);
  void piece(std::string_view color, std::string_view text);
  // Without the comment character.
  void colored(std::string_view color, std::string_view text);
  void plain(std::string_view text) { out_ += text; }

  // Relative and quoted, as the options have it.
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
