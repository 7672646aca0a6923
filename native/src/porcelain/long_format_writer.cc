#include "porcelain/long_format_writer.h"

#include "porcelain/printed_path.h"

namespace resident {

namespace {

constexpr std::string_view kReset = "\033[m";

}  // namespace

LongFormatWriter::LongFormatWriter(const PrintOptions& options, std::string& out)
    : options_(options),
      palette_(options.colors.value_or(StatusPalette::plain())),
      comment_(options.long_format.comment),
      out_(out) {
}

void LongFormatWriter::colored(std::string_view color, std::string_view text) {
  out_ += color;
  out_ += text;
  if (!color.empty()) out_ += kReset;
}

void LongFormatWriter::print(At at, std::string_view color, std::string_view text,
                             std::string_view trail) {
  if (text.empty()) {
    std::string piece = comment_;
    if (!piece.empty() && trail.empty()) piece += ' ';
    colored(color, piece);
  }
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    std::string piece;
    if (at == At::kLineStart && !comment_.empty()) {
      piece = comment_;
      if (!line.empty() && line[0] != '\t') piece += ' ';
    }
    colored(color, piece.append(line));
    if (end == std::string_view::npos) break;
    out_ += '\n';
    text.remove_prefix(end + 1);
    at = At::kLineStart;
  }
  out_ += trail;
}

void LongFormatWriter::line(std::string_view color, std::string_view text) {
  print(At::kLineStart, color, text, "\n");
}

void LongFormatWriter::begin(std::string_view color, std::string_view text) {
  print(At::kLineStart, color, text, "");
}

void LongFormatWriter::piece(std::string_view color, std::string_view text) {
  print(At::kWithin, color, text, "");
}

std::string LongFormatWriter::path(std::string_view path) const {
  std::string out;
  append_quoted(out, options_.prefix.empty() ? path : relative_path(path, options_.prefix),
                options_.quote_high_bytes, QuoteSpaces::kNo);
  return out;
}

}  // namespace resident
