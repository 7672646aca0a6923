// Keys that a terminal sends, taken out of its bytes.
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

// A sequence may come in pieces. What is none of these keys is passed over, however long it is.
class KeyReader {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  // nullopt: no further key is whole.
  std::optional<Key> next();

 private:
  // `sequence` is what follows the escape, whole.
  static std::optional<Key> key_of_sequence(std::string_view sequence);
  // Length of the sequence at the front, which is not taken yet; 0: the rest of it is to come.
  size_t sequence_length() const;

  std::string bytes_;
};

}  // namespace resident
