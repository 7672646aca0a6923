// EWAH: git's compressed bitmap, read a run at a time where it lies in a file. How many bits there
// may be is for the reader to hold: the file's own count is not relied on.
//
// On disk: the number of bits and of 64-bit words (32 bits each), the words, and the position of
// the last marker word (32 bits, only of use to who appends). A marker word holds, from its lowest
// bit: the value of a run (1 bit), the length of the run in words (32 bits), and how many literal
// words, which are bits as they are, follow (31 bits). The first bit of a word is its lowest. All
// is big-endian.
//
// Format: git's Documentation/technical/bitmap-format.txt, appendix A.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"

namespace resident {

inline constexpr size_t kEwahWordBits = 64;
inline constexpr size_t kEwahWordSize = 8;

// The words of the bitmap at the reader's position, which ends up behind it; they are not looked at
// yet. nullopt where the bytes end early.
inline std::optional<Bytes> read_ewah_words(ByteReader& reader) {
  const auto bit_count = reader.be32();
  const auto word_count = reader.be32();
  if (!bit_count || !word_count) return std::nullopt;
  const auto words = reader.take(size_t{*word_count} * kEwahWordSize);
  if (!words || !reader.be32()) return std::nullopt;
  return words;
}

// What one marker word tells: a run, and the literal words behind it.
struct EwahRun {
  bool value = false;  // of every bit of the run
  uint64_t words = 0;
  uint64_t literal_words = 0;
  Bytes literals;  // these; in a bitmap that ends too early those that are there

  bool is_whole() const { return literals.size() == literal_words * kEwahWordSize; }
};

// The runs of a bitmap in their order. All of them together have fewer than 2^64 words, whatever
// the bytes say: there are fewer than 2^32 markers.
class EwahRuns {
 public:
  explicit EwahRuns(Bytes words) : words_(words) {}

  // False: there is no further one.
  bool next(EwahRun& run) {
    if (words_.size() < kEwahWordSize) return false;
    const uint64_t marker = load_be64(words_.data());
    words_ = words_.subspan(kEwahWordSize);
    run.value = (marker & 1) != 0;
    run.words = marker >> 1 & 0xffffffff;
    run.literal_words = marker >> 33;
    run.literals = words_.first(
        std::min<uint64_t>(run.literal_words, words_.size() / kEwahWordSize) * kEwahWordSize);
    words_ = words_.subspan(run.literals.size());
    return true;
  }

 private:
  Bytes words_;
};

}  // namespace resident
