#include "hash/object_id.h"

#include <algorithm>

namespace resident {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<ObjectId> ObjectId::from_hex(std::string_view hex) {
  if (hex.size() != 40 && hex.size() != 64) return std::nullopt;
  ObjectId id;
  id.size_ = static_cast<uint8_t>(hex.size() / 2);
  for (size_t i = 0; i < id.size_; ++i) {
    int high = hex_digit(hex[2 * i]);
    int low = hex_digit(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id.bytes_[i] = static_cast<uint8_t>(high << 4 | low);
  }
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
