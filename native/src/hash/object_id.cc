#include "hash/object_id.h"

#include <algorithm>
#include <array>

namespace resident {

namespace {

// The value of each character as a hex digit, or -1.
constexpr std::array<int8_t, 256> kHexDigits = [] {
  std::array<int8_t, 256> values{};
  values.fill(-1);
  for (int8_t i = 0; i < 10; ++i) values[static_cast<size_t>('0' + i)] = i;
  for (int8_t i = 10; i < 16; ++i) {
    values[static_cast<size_t>('a' + i - 10)] = i;
    values[static_cast<size_t>('A' + i - 10)] = i;
  }
  return values;
}();

int hex_digit(char c) {
  return kHexDigits[static_cast<uint8_t>(c)];
}

}  // namespace

std::optional<ObjectId> ObjectId::from_hex(std::string_view hex) {
  if (hex.size() != 40 && hex.size() != 64) return std::nullopt;
  ObjectId id;
  id.size_ = static_cast<uint8_t>(hex.size() / 2);
  int any_bad = 0;
  for (size_t i = 0; i < id.size_; ++i) {
    const int high = hex_digit(hex[2 * i]);
    const int low = hex_digit(hex[2 * i + 1]);
    any_bad |= high | low;
    id.bytes_[i] = static_cast<uint8_t>(high << 4 | low);
  }
  if (any_bad < 0) return std::nullopt;
  return id;
}

bool ObjectId::is_null() const {
  return std::all_of(bytes_.begin(), bytes_.begin() + size_, [](uint8_t b) { return b == 0; });
}

std::string ObjectId::hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(2 * size_, '0');
  for (size_t i = 0; i < size_; ++i) {
    text[2 * i] = kDigits[bytes_[i] >> 4];
    text[2 * i + 1] = kDigits[bytes_[i] & 15];
  }
  return text;
}

}  // namespace resident
