#include "diff/similarity.h"

#include <algorithm>
#include <bit>

#include "diff/path_change.h"

namespace resident {
namespace {

constexpr uint32_t kBuckets = 107927;  // prime
constexpr uint32_t kMaxChunk = 64;
constexpr size_t kBinaryProbe = 8000;

// The hash of one chunk, fed byte by byte. It has two 32-bit accumulators that rotate together.
class ChunkHash {
 public:
  void add(unsigned char byte) { state_ = std::rotl(state_, 7) + (uint64_t{byte} << 32); }
  uint32_t bucket() const {
    auto high = static_cast<uint32_t>(state_ >> 32);
    auto low = static_cast<uint32_t>(state_);
    return (high + low * 0x61) % kBuckets;
  }

 private:
  uint64_t state_ = 0;
};

}  // namespace

ContentProfile::ContentProfile(std::string_view content, const ProfileRules& rules)
    : size_(content.size()) {
  std::vector<Bucket> chunks;
  ChunkHash hash;
  uint32_t length = 0;
  auto end_chunk = [&] {
    chunks.push_back({hash.bucket(), length});
    hash = ChunkHash();
    length = 0;
  };
  for (size_t i = 0; i < content.size(); ++i) {
    char c = content[i];
    if (rules.text && c == '\r' && i + 1 < content.size() && content[i + 1] == '\n') continue;
    hash.add(static_cast<unsigned char>(c));
    if (++length == kMaxChunk || c == '\n') end_chunk();
  }
  if (length > 0 && rules.counts_incomplete_chunk) end_chunk();

  std::sort(chunks.begin(), chunks.end(),
            [](const Bucket& a, const Bucket& b) { return a.hash < b.hash; });
  size_t kept = 0;
  for (const Bucket& chunk : chunks) {
    if (kept > 0 && chunks[kept - 1].hash == chunk.hash) {
      chunks[kept - 1].bytes += chunk.bytes;
    } else {
      chunks[kept++] = chunk;
    }
  }
  buckets_.assign(chunks.begin(), chunks.begin() + static_cast<ptrdiff_t>(kept));
}

uint64_t ContentProfile::bytes_kept_in(const ContentProfile& other) const {
  uint64_t bytes = 0;
  auto theirs = other.buckets_.begin();
  for (const Bucket& bucket : buckets_) {
    while (theirs != other.buckets_.end() && theirs->hash < bucket.hash) ++theirs;
    if (theirs == other.buckets_.end()) break;
    if (theirs->hash == bucket.hash) bytes += std::min(bucket.bytes, theirs->bytes);
  }
  return bytes;
}

bool looks_binary(std::string_view content) {
  return content.substr(0, kBinaryProbe).find('\0') != std::string_view::npos;
}

bool sizes_rule_out(uint64_t source_size, uint64_t destination_size, int minimum_score) {
  // Computed in floating point, like git.
  auto larger = static_cast<double>(std::max(source_size, destination_size));
  auto difference = larger - static_cast<double>(std::min(source_size, destination_size));
  return larger * (kMaxScore - minimum_score) < difference * kMaxScore;
}

int similarity_score(const ContentProfile& source, const ContentProfile& destination) {
  if (destination.size() == 0) return 0;
  auto larger = static_cast<double>(std::max(source.size(), destination.size()));
  auto kept = static_cast<double>(source.bytes_kept_in(destination));
  return static_cast<int>(kept * kMaxScore / larger);
}

}  // namespace resident
