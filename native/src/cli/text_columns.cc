#include "cli/text_columns.h"

#include "base/repo_path.h"
#include "cli/character_width.h"
#include "porcelain/printed_path.h"

namespace resident {

namespace {

constexpr std::string_view kEllipsis = "…";
constexpr int kMaxMarks = 4;

// What `bytes` begin with, and whether a terminal may see it.
struct Piece {
  std::string_view bytes;
  int width = -1;  // -1: not printable
};

class Pieces {
 public:
  explicit Pieces(std::string_view bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }
  Piece take() {
    const Utf8Character character = first_character(rest_);
    Piece piece{rest_.substr(0, character.length ? character.length : 1), -1};
    rest_.remove_prefix(piece.bytes.size());
    if (character.length > 0) piece.width = character_width(character.code_point);
    if (piece.width == 0) {
      // A mark needs a character to be drawn on.
      if (marks_ == kMaxMarks) piece.width = -1;
      marks_ += marks_ < kMaxMarks;
    } else {
      marks_ = piece.width > 0 ? 0 : kMaxMarks;
    }
    return piece;
  }

 private:
  std::string_view rest_;
  int marks_ = kMaxMarks;
};

void append_escaped(std::string& out, std::string_view bytes) {
  for (const char byte : bytes) append_in_quotes(out, byte, true);
}

}  // namespace

std::string printable_text(std::string_view bytes) {
  std::string text;
  for (Pieces pieces(bytes); !pieces.empty();) {
    const Piece piece = pieces.take();
    if (piece.width < 0) {
      append_escaped(text, piece.bytes);
    } else {
      text += piece.bytes;
    }
  }
  return text;
}

std::string printable_path(std::string_view path, bool quote_high_bytes) {
  std::string text = "\"";
  bool is_quoted = false;
  for (Pieces pieces(path); !pieces.empty();) {
    const Piece piece = pieces.take();
    const size_t before = text.size();
    const bool is_escaped = piece.width < 0 || quote_high_bytes;
    for (const char byte : piece.bytes) append_in_quotes(text, byte, is_escaped);
    is_quoted |= text.size() - before != piece.bytes.size();
  }
  return is_quoted ? text + "\"" : text.substr(1);
}

size_t columns_of(std::string_view text) {
  size_t columns = 0;
  for (Pieces pieces(text); !pieces.empty();) {
    if (const int width = pieces.take().width; width > 0) columns += static_cast<size_t>(width);
  }
  return columns;
}

std::string cut_end(std::string_view text, size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::string out;
  size_t used = 1;
  for (Pieces pieces(text); !pieces.empty();) {
    const Piece piece = pieces.take();
    if (piece.width > 0) used += static_cast<size_t>(piece.width);
    if (used > columns) break;
    out += piece.bytes;
  }
  return out.append(kEllipsis);
}

std::string cut_front(std::string_view text, size_t columns) {
  size_t left = columns_of(text);
  if (left <= columns) return std::string(text);
  if (columns == 0) return {};
  std::string_view rest = text;
  for (Pieces pieces(text); !pieces.empty();) {
    const Piece piece = pieces.take();
    // A mark goes with the character that it is drawn on.
    if (left < columns && piece.width != 0) break;
    rest.remove_prefix(piece.bytes.size());
    if (piece.width > 0) left -= static_cast<size_t>(piece.width);
  }
  return std::string(kEllipsis).append(rest);
}

}  // namespace resident
