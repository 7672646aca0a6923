// NameSum: tells sets of names apart without a table and in any order, by how many there are and
// the sum of what is made of their hashes. That the sums of two different sets are equal is as
// likely as that two names share a keyed_hash().
//
// Threads: one.
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
    // A square of a kind, in which nothing that the hashes of similar names share cancels out.
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
