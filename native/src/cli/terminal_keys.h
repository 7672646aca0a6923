// Parses the keys in the bytes that a terminal sends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace resident {

enum class Key : uint8_t {
  kQuit,
  kUp,
  kDown,
  kPageUp,
  kPageDown,
  kHome,
  kEnd,
  kRedraw,
};

// A sequence may arrive in pieces. All other input is skipped, whatever its length.
class KeyReader {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  // Returns nullopt if no further key is complete.
  std::optional<Key> next();

 private:
  // `sequence` is the complete text after the escape.
  static std::optional<Key> key_of_sequence(std::string_view sequence);
  // The length of the sequence at the front, without removing it. 0: the sequence is incomplete.
  size_t sequence_length() const;

  std::string bytes_;
};

}  // namespace resident
