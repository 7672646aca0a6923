// Views of raw bytes and a reader whose every access is checked against the end.
//
// Paths, names and file contents are bytes, never text: std::string and std::string_view hold them
// as they are on disk, invalid UTF-8 included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace resident {

using Bytes = std::span<const uint8_t>;

inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Big-endian loads. The caller has checked the length.
inline uint16_t load_be16(const uint8_t* p) {
  return static_cast<uint16_t>(p[0] << 8 | p[1]);
}
inline uint32_t load_be32(const uint8_t* p) {
  return uint32_t{p[0]} << 24 | uint32_t{p[1]} << 16 | uint32_t{p[2]} << 8 | uint32_t{p[3]};
}
inline uint64_t load_be64(const uint8_t* p) {
  return uint64_t{load_be32(p)} << 32 | load_be32(p + 4);
}

// Reads forward through a byte range. A read past the end returns nullopt and leaves the position.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }
  Bytes rest() const { return bytes_.subspan(position_); }

  std::optional<uint8_t> u8() {
    if (remaining() < 1) return std::nullopt;
    return bytes_[position_++];
  }
  std::optional<uint16_t> be16() {
    if (remaining() < 2) return std::nullopt;
    position_ += 2;
    return load_be16(bytes_.data() + position_ - 2);
  }
  std::optional<uint32_t> be32() {
    if (remaining() < 4) return std::nullopt;
    position_ += 4;
    return load_be32(bytes_.data() + position_ - 4);
  }
  std::optional<uint64_t> be64() {
    if (remaining() < 8) return std::nullopt;
    position_ += 8;
    return load_be64(bytes_.data() + position_ - 8);
  }
  std::optional<Bytes> take(size_t count) {
    if (remaining() < count) return std::nullopt;
    position_ += count;
    return bytes_.subspan(position_ - count, count);
  }
  // The bytes before the next `terminator`, which is consumed too; nullopt where there is none.
  std::optional<Bytes> read_until(uint8_t terminator) {
    for (size_t i = position_; i < bytes_.size(); ++i) {
      if (bytes_[i] != terminator) continue;
      Bytes found = bytes_.subspan(position_, i - position_);
      position_ = i + 1;
      return found;
    }
    return std::nullopt;
  }

 private:
  Bytes bytes_;
  size_t position_ = 0;
};

}  // namespace resident
