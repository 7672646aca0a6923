// ObjectId: the id of a git object, 20 bytes (SHA-1) or 32 bytes (SHA-256). A plain value.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace resident {

enum class HashAlgorithm : uint8_t { kSha1, kSha256 };

inline constexpr size_t kMaxHashSize = 32;
constexpr size_t hash_size(HashAlgorithm algorithm) {
  return algorithm == HashAlgorithm::kSha1 ? 20 : 32;
}

class ObjectId {
 public:
  // The null id (all zeros) of SHA-1.
  ObjectId() = default;

  static ObjectId null(HashAlgorithm algorithm) {
    ObjectId id;
    id.size_ = static_cast<uint8_t>(hash_size(algorithm));
    return id;
  }
  // `bytes` has exactly 20 or 32 bytes.
  static ObjectId from_bytes(Bytes bytes) {
    ObjectId id;
    id.size_ = static_cast<uint8_t>(bytes.size());
    std::memcpy(id.bytes_.data(), bytes.data(), bytes.size());
    return id;
  }
  // Parses 40 or 64 hex digits, in either case. nullopt: any other text.
  static std::optional<ObjectId> from_hex(std::string_view hex);

  Bytes bytes() const { return {bytes_.data(), size_}; }
  size_t size() const { return size_; }
  HashAlgorithm algorithm() const {
    return size_ == 20 ? HashAlgorithm::kSha1 : HashAlgorithm::kSha256;
  }
  bool is_null() const;
  std::string hex() const;

  friend bool operator==(const ObjectId& a, const ObjectId& b) {
    return a.size_ == b.size_ && std::memcmp(a.bytes_.data(), b.bytes_.data(), a.size_) == 0;
  }
  friend std::strong_ordering operator<=>(const ObjectId& a, const ObjectId& b) {
    if (a.size_ != b.size_) return a.size_ <=> b.size_;
    return std::memcmp(a.bytes_.data(), b.bytes_.data(), a.size_) <=> 0;
  }

 private:
  std::array<uint8_t, kMaxHashSize> bytes_{};
  uint8_t size_ = 20;
};

}  // namespace resident

template <>
struct std::hash<resident::ObjectId> {
  size_t operator()(const resident::ObjectId& id) const noexcept {
    size_t value;
    std::memcpy(&value, id.bytes().data(), sizeof value);
    return value;
  }
};
