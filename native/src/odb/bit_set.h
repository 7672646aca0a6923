// BitSet: a bit set of fixed size, decoded from a bitmap. It has one bit for each object of a pack.
//
// Threads: owner only.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace resident {

class BitSet {
 public:
  static constexpr size_t kWordBits = 64;

  BitSet() = default;
  explicit BitSet(size_t bits) : size_(bits), words_((bits + kWordBits - 1) / kWordBits) {}

  size_t size() const { return size_; }
  // Both need `bit` < size().
  bool test(size_t bit) const { return words_[bit / kWordBits] >> (bit % kWordBits) & 1; }
  void set(size_t bit) { words_[bit / kWordBits] |= uint64_t{1} << (bit % kWordBits); }

  // The first bit of a word is its lowest. Bits beyond size() stay zero.
  std::span<uint64_t> words() { return words_; }
  std::span<const uint64_t> words() const { return words_; }

  // Enlarges the set; the new bits are zero. Needs `bits` >= size().
  void grow(size_t bits) {
    size_ = bits;
    words_.resize((bits + kWordBits - 1) / kWordBits);
  }

  // `other` must have the same size.
  BitSet& operator|=(const BitSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  size_t count() const {
    size_t bits = 0;
    for (const uint64_t word : words_) bits += static_cast<size_t>(std::popcount(word));
    return bits;
  }
  friend bool operator==(const BitSet&, const BitSet&) = default;

 private:
  size_t size_ = 0;
  std::vector<uint64_t> words_;
};

// Counts the bits that are in `mask` and `with`, but not in `without`. All three have the same
// size.
inline size_t count_difference(const BitSet& mask, const BitSet& with, const BitSet& without) {
  size_t bits = 0;
  for (size_t i = 0; i < mask.words().size(); ++i) {
    bits +=
        static_cast<size_t>(std::popcount(mask.words()[i] & with.words()[i] & ~without.words()[i]));
  }
  return bits;
}

}  // namespace resident
