// EntryMoves: where the entries of an index went when others came and went among them.
//
// Positions "before" are those in the index as it was, positions "now" those in the index as it is.
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
  // `removed` are positions before, `added` positions now; both ascending.
  EntryMoves(std::vector<uint32_t> removed, std::vector<uint32_t> added)
      : removed_(std::move(removed)), added_(std::move(added)) {}

  bool empty() const { return removed_.empty() && added_.empty(); }
  std::span<const uint32_t> removed() const { return removed_; }
  std::span<const uint32_t> added() const { return added_; }

  // Where an entry is now; nullopt: it was removed.
  std::optional<uint32_t> now(uint32_t before) const;

  // Moves values of `width` bytes each, one for each of the `before` entries. There is room for as
  // many as there are now, and for `before` and those that came together. The values of what came
  // are left to the caller.
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
