#include "odb/ewah_bitmap.h"

namespace resident {

Result<EwahBitmap> EwahBitmap::read(ByteReader& reader) {
  const auto words = read_ewah_words(reader);
  if (!words) return corrupt("a bitmap is cut off");
  return EwahBitmap(*words);
}

Result<size_t> EwahBitmap::flip(BitSet& bits) const {
  const std::span<uint64_t> out = bits.words();
  size_t at = 0, flipped = 0;
  EwahRun run;
  for (EwahRuns runs(words_); runs.next(run);) {
    if (run.words > out.size() - at) return corrupt("a bitmap of more objects than there are");
    if (run.value) {
      flipped += run.words;
      for (uint64_t& word : out.subspan(at, run.words)) word = ~word;
    }
    at += run.words;
    if (run.literal_words > out.size() - at) {
      return corrupt("a bitmap of more objects than there are");
    }
    if (!run.is_whole()) return corrupt("a bitmap has fewer words than it counts");
    flipped += run.literal_words;
    const uint8_t* literal = run.literals.data();
    for (uint64_t& word : out.subspan(at, run.literal_words)) {
      word ^= load_be64(literal);
      literal += kEwahWordSize;
    }
    at += run.literal_words;
  }
  const size_t used = bits.size() % BitSet::kWordBits;
  // A run of ones may end behind the last object.
  if (used > 0) out.back() &= (uint64_t{1} << used) - 1;
  return flipped;
}

}  // namespace resident
