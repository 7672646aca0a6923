// EWAH is git's compressed bitmap. This reader reads it run by run, in place in a file. The file's
// bit count is not trusted: the reader's caller must bound the number of bits.
//
// Layout, all big-endian:
// - number of bits: 32 bits
// - number of 64-bit words: 32 bits
// - the words
// - position of the last marker word: 32 bits, needed only to append
//
// Layout of a marker word, from its lowest bit:
// - value of the run: 1 bit
// - length of the run, in words: 32 bits
// - number of literal (uncompressed) words that follow: 31 bits
//
// The first bit of a word is its lowest.
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

// Returns the words of the bitmap at the reader's position, unchecked. The reader's position is
// then behind the bitmap. nullopt: the bytes end early.
inline std::optional<Bytes> read_ewah_words(ByteReader& reader) {
  const auto bit_count = reader.be32();
  const auto word_count = reader.be32();
  if (!bit_count || !word_count) return std::nullopt;
  const auto words = reader.take(size_t{*word_count} * kEwahWordSize);
  if (!words || !reader.be32()) return std::nullopt;
  return words;
}

// The content of one marker word: a run, and the literal words behind the run.
struct EwahRun {
  bool value = false;  // value of every bit of the run
  uint64_t words = 0;
  uint64_t literal_words = 0;
  Bytes literals;  // the literal words; in a truncated bitmap, only those present

  bool is_whole() const { return literals.size() == literal_words * kEwahWordSize; }
};

// The runs of a bitmap, in order. Together they have fewer than 2^64 words in any input, because a
// bitmap has fewer than 2^32 markers.
class EwahRuns {
 public:
  explicit EwahRuns(Bytes words) : words_(words) {}

  // False: no run is left.
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
