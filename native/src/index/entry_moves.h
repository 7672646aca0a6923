// EntryMoves: new positions of index entries after other entries were added or removed.
//
// "Before" means a position in the old index, "now" a position in the new index.
//
// Threads: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace resident {

class EntryMoves {
 public:
  // Nothing moved.
  EntryMoves() = default;
  // `removed` has positions before, `added` positions now; both ascending.
  EntryMoves(std::vector<uint32_t> removed, std::vector<uint32_t> added)
      : removed_(std::move(removed)), added_(std::move(added)) {}

  bool empty() const { return removed_.empty() && added_.empty(); }
  std::span<const uint32_t> removed() const { return removed_; }
  std::span<const uint32_t> added() const { return added_; }

  // The new position of an entry; nullopt: it was removed.
  std::optional<uint32_t> now(uint32_t before) const;

  // Moves an array of `width`-byte values, with one value for each of the `before` entries. The
  // array must have room for all entries now, and for `before` plus all added entries. The caller
  // sets the values of added entries.
  void apply(void* values, size_t width, size_t before) const;
  template <typename Values>
  void apply(Values& values) const {
    const size_t before = values.size();
    values.resize(before + added_.size());
    apply(values.data(), sizeof values[0], before);
    values.resize(before + added_.size() - removed_.size());
  }

 private:
  std::vector<uint32_t> removed_;
  std::vector<uint32_t> added_;
};

}  // namespace resident
