// NameSum: a summary of a set of names, independent of their order. It has the number of names and
// a sum of values made from their hashes. Different sets have equal sums only with the probability
// that two names share a keyed_hash().
//
// Threads: owner only.
#pragma once

#include <compare>
#include <cstddef>
#include <string_view>

#include "hash/keyed_hash.h"

namespace resident {

class NameSum {
 public:
  void add(std::string_view name) {
    ++count_;
    // Similar to a square. Common parts in the hashes of similar names do not cancel out in the
    // sum.
    const uint64_t hash = keyed_hash(name);
    sum_ += Wide{hash ^ keyed::kKeys[1]} * (hash ^ keyed::kKeys[2]);
  }
  friend bool operator==(const NameSum&, const NameSum&) = default;
  friend auto operator<=>(const NameSum&, const NameSum&) = default;

 private:
  __extension__ using Wide = unsigned __int128;

  size_t count_ = 0;
  Wide sum_ = 0;
};

}  // namespace resident
