// A hash table from byte strings to pattern positions. Lookups use the suffixes of a text. Hashing
// the text from its last byte to its first yields the hash of every suffix, so one walk serves all
// lengths.
//
// Keys that differ only in ASCII case share a chain: the caller must compare the key. Each chain is
// sorted from the highest position to the lowest.
//
// Threads: constant after the last add(), then safe from any thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ascii.h"

namespace resident {

class SuffixHash {
 public:
  void prepend(char c) {
    state_ = (state_ ^ static_cast<uint8_t>(ascii_lower(c))) * uint64_t{0x100000001b3};
  }
  uint32_t value() const { return static_cast<uint32_t>(state_ ^ state_ >> 32); }

 private:
  uint64_t state_ = 0xcbf29ce484222325;
};

class SuffixTable {
 public:
  static constexpr uint32_t kEnd = UINT32_MAX;

  // `position` must be higher than all positions before. `expected` bounds the number of add()
  // calls.
  void add(std::string_view key, uint32_t position, size_t expected) {
    if (heads_.empty()) heads_.assign(std::bit_ceil(expected), kEnd);
    SuffixHash hash;
    for (size_t i = key.size(); i > 0; --i) hash.prepend(key[i - 1]);
    uint32_t& head = heads_[slot(hash)];
    nodes_.push_back({position, head});
    head = static_cast<uint32_t>(nodes_.size() - 1);
    lengths_ |= length_bit(key.size());
    longest_ = std::max(longest_, key.size());
  }

  // Whether a key of this length may exist.
  bool may_have(size_t length) const { return (lengths_ & length_bit(length)) != 0; }
  size_t longest() const { return longest_; }

  // Searches the chain of the hash for the highest position above `floor` that `accepts` approves.
  // Returns `floor` if no position matches. Call only on a table that may_have() a key.
  template <typename Accepts>
  int64_t find_above(int64_t floor, const SuffixHash& hash, Accepts accepts) const {
    for (uint32_t i = heads_[slot(hash)]; i != kEnd; i = nodes_[i].next) {
      int64_t position = nodes_[i].position;
      if (position <= floor) break;
      if (accepts(nodes_[i].position)) return position;
    }
    return floor;
  }

 private:
  struct Node {
    uint32_t position;
    uint32_t next;
  };

  size_t slot(const SuffixHash& hash) const { return hash.value() & (heads_.size() - 1); }
  static uint64_t length_bit(size_t length) { return uint64_t{1} << std::min<size_t>(length, 63); }

  std::vector<uint32_t> heads_;
  std::vector<Node> nodes_;
  uint64_t lengths_ = 0;
  size_t longest_ = 0;
};

}  // namespace resident
