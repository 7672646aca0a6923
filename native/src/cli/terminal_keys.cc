#include "cli/terminal_keys.h"

namespace resident {

namespace {

constexpr char kEscape = '\033';
// No terminal key is longer.
constexpr size_t kLongest = 32;

std::optional<Key> key_of_character(char c) {
  switch (c) {
    case 'q':
    case 'Q':
    case '\003':
      return Key::kQuit;
    case 'k':
      return Key::kUp;
    case 'j':
      return Key::kDown;
    case 'b':
      return Key::kPageUp;
    case ' ':
      return Key::kPageDown;
    case 'g':
      return Key::kHome;
    case 'G':
      return Key::kEnd;
    case '\f':
      return Key::kRedraw;
    default:
      return std::nullopt;
  }
}

std::optional<Key> key_of_number(std::string_view number) {
  if (number == "5") return Key::kPageUp;
  if (number == "6") return Key::kPageDown;
  if (number == "1" || number == "7") return Key::kHome;
  if (number == "4" || number == "8") return Key::kEnd;
  return std::nullopt;
}

}  // namespace

size_t KeyReader::sequence_length() const {
  if (bytes_.size() < 2) return 0;
  // A character after the Escape key is a key of its own.
  if (bytes_[1] != '[' && bytes_[1] != 'O') return 1;
  for (size_t i = 2; i < bytes_.size(); ++i) {
    const char c = bytes_[i];
    if (bytes_[1] == 'O' || (c >= 0x40 && c <= 0x7e)) return i + 1;
    // A control character or an 8-bit byte ends the sequence and is not part of it.
    if (c < 0x20 || c > 0x7e || i == kLongest) return i;
  }
  return 0;
}

std::optional<Key> KeyReader::key_of_sequence(std::string_view sequence) {
  if (sequence.size() < 2) return std::nullopt;
  switch (sequence.back()) {
    case 'A':
      return Key::kUp;
    case 'B':
      return Key::kDown;
    case 'H':
      return Key::kHome;
    case 'F':
      return Key::kEnd;
    case '~':
      // A modifier can follow the number.
      sequence = sequence.substr(1, sequence.size() - 2);
      return key_of_number(sequence.substr(0, sequence.find(';')));
    default:
      return std::nullopt;
  }
}

std::optional<Key> KeyReader::next() {
  while (!bytes_.empty()) {
    std::optional<Key> key;
    size_t length = 1;
    if (bytes_[0] == kEscape) {
      length = sequence_length();
      if (length == 0) return std::nullopt;
      key = key_of_sequence(std::string_view(bytes_).substr(1, length - 1));
    } else {
      key = key_of_character(bytes_[0]);
    }
    bytes_.erase(0, length);
    if (key) return key;
  }
  return std::nullopt;
}

}  // namespace resident
