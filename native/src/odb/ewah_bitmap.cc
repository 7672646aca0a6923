#include "odb/ewah_bitmap.h"

#include <algorithm>

namespace resident {
namespace {

constexpr size_t kBitmapWordSize = 8;
constexpr int kRunShift = 1;
constexpr uint64_t kMostRun = 0xffffffff;
constexpr int kLiteralShift = 33;

}  // namespace

Result<EwahBitmap> EwahBitmap::read(ByteReader& reader) {
  const auto bit_count = reader.be32();
  const auto word_count = reader.be32();
  if (!bit_count || !word_count) return corrupt("a bitmap is cut off");
  const auto words = reader.take(size_t{*word_count} * kBitmapWordSize);
  if (!words || !reader.be32()) return corrupt("a bitmap is cut off");
  return EwahBitmap(*words);
}

Result<size_t> EwahBitmap::flip(BitSet& bits) const {
  const std::span<uint64_t> out = bits.words();
  size_t at = 0, flipped = 0;
  for (ByteReader reader(words_); reader.remaining() > 0;) {
    const uint64_t run = *reader.be64();
    const uint64_t repeated = run >> kRunShift & kMostRun;
    const uint64_t literal = run >> kLiteralShift;
    if (repeated > out.size() - at) return corrupt("a bitmap of more objects than there are");
    if (run & 1) {
      flipped += repeated;
      for (uint64_t& word : out.subspan(at, repeated)) word = ~word;
    }
    at += repeated;
    if (literal > out.size() - at) return corrupt("a bitmap of more objects than there are");
    const auto words = reader.take(literal * kBitmapWordSize);
    if (!words) return corrupt("a bitmap has fewer words than it counts");
    flipped += literal;
    for (const uint8_t* word = words->data(); word != words->data() + words->size();
         word += kBitmapWordSize) {
      out[at++] ^= load_be64(word);
    }
  }
  const size_t used = bits.size() % BitSet::kWordBits;
  // A run of ones may end behind the last object.
  if (used > 0) out.back() &= (uint64_t{1} << used) - 1;
  return flipped;
}

}  // namespace resident
