#include "testing/pack_writer.h"

#include <libdeflate.h>

#include <algorithm>

#include "hash/hasher.h"
#include "testing/repo_builder.h"

namespace resident::testing {

namespace {

constexpr uint64_t kHeaderBytes = 12;

std::string be32(uint64_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

std::string_view text(const ObjectId& id) {
  return as_text(id.bytes());
}

// Little-endian base 128.
std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  bytes += static_cast<char>(value);
  return bytes;
}

}  // namespace

std::string zlib_compress(std::string_view content) {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
  std::string out(libdeflate_zlib_compress_bound(compressor, content.size()), '\0');
  out.resize(
      libdeflate_zlib_compress(compressor, content.data(), content.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

std::string delta_copy(uint32_t offset, uint32_t size) {
  std::string bytes(1, '\xff');
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(offset >> shift & 0xff);
  for (int shift = 0; shift < 24; shift += 8) bytes += static_cast<char>(size >> shift & 0xff);
  return bytes;
}

std::string delta_insert(std::string_view bytes) {
  return std::string(1, static_cast<char>(bytes.size())) + std::string(bytes);
}

std::string make_delta(uint64_t base_size, uint64_t target_size, std::string_view instructions) {
  return varint(base_size) + varint(target_size) + std::string(instructions);
}

PackWriter::PackWriter(HashAlgorithm algorithm) : algorithm_(algorithm) {
}

uint64_t PackWriter::add_entry(int type, const ObjectId& id, std::string_view between,
                               std::string_view content, std::optional<uint64_t> claimed_size) {
  const uint64_t offset = kHeaderBytes + entries_.size();
  const uint64_t size = claimed_size.value_or(content.size());
  const uint64_t rest = size >> 4;
  entries_ += static_cast<char>((rest ? 0x80 : 0) | type << 4 | static_cast<int>(size & 15));
  if (rest) entries_ += varint(rest);
  entries_ += between;
  entries_ += zlib_compress(content);
  ++count_;
  add_to_index(id, offset);
  return offset;
}

uint64_t PackWriter::add(int type, const ObjectId& id, std::string_view content,
                         std::optional<uint64_t> claimed_size) {
  return add_entry(type, id, {}, content, claimed_size);
}

uint64_t PackWriter::add_ref_delta(const ObjectId& id, const ObjectId& base,
                                   std::string_view delta) {
  return add_entry(7, id, text(base), delta, {});
}

uint64_t PackWriter::add_ofs_delta(const ObjectId& id, uint64_t distance, std::string_view delta) {
  std::string bytes(1, static_cast<char>(distance & 0x7f));
  for (distance >>= 7; distance; distance >>= 7) {
    --distance;
    bytes.insert(bytes.begin(), static_cast<char>(0x80 | (distance & 0x7f)));
  }
  return add_entry(6, id, bytes, delta, {});
}

void PackWriter::add_to_index(const ObjectId& id, uint64_t offset) {
  indexed_.push_back({id, offset});
}

std::string PackWriter::pack_bytes() const {
  // A valid pack has the same count as its index. Use the larger count if the two differ.
  const std::string bytes =
      "PACK" + be32(2) + be32(std::max<size_t>(count_, indexed_.size())) + entries_;
  return bytes + std::string(text(hash_bytes(algorithm_, as_bytes(bytes))));
}

std::string PackWriter::index_bytes() const {
  std::vector<Indexed> sorted = indexed_;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  std::string bytes = "\377tOc" + be32(2);
  for (int byte = 0; byte < 256; ++byte) {
    bytes += be32(static_cast<uint64_t>(std::count_if(
        sorted.begin(), sorted.end(), [&](const auto& e) { return e.id.bytes()[0] <= byte; })));
  }
  for (const auto& entry : sorted) bytes += text(entry.id);
  for (size_t i = 0; i < sorted.size(); ++i) bytes += be32(0);  // CRCs; readers ignore them
  std::string large;
  for (const auto& entry : sorted) {
    if (entry.offset < 0x80000000) {
      bytes += be32(entry.offset);
    } else {
      bytes += be32(0x80000000 | large.size() / 8);
      large += be32(entry.offset >> 32) + be32(entry.offset & 0xffffffff);
    }
  }
  bytes += large;
  const std::string pack = pack_bytes();
  bytes += pack.substr(pack.size() - hash_size(algorithm_));
  return bytes + std::string(text(hash_bytes(algorithm_, as_bytes(bytes))));
}

void PackWriter::write(const std::string& directory, std::string_view name) {
  const std::string base = directory + "/pack-" + std::string(name);
  write_whole_file(base + ".pack", pack_bytes());
  write_whole_file(base + ".idx", index_bytes());
}

}  // namespace resident::testing
