// EwahBitmap: a compressed bitmap (base/ewah.h) where it lies in a file, unpacked only into a
// BitSet.
//
// Threads: constant after read().
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "base/ewah.h"
#include "base/result.h"
#include "odb/bit_set.h"

namespace resident {

class EwahBitmap {
 public:
  EwahBitmap() = default;

  // The one at the reader's position, which then is behind it. The words are a view of the reader's
  // bytes, and not looked at yet. kCorrupt where it ends beyond them.
  static Result<EwahBitmap> read(ByteReader& reader);

  // Flips those of `bits` that it has set, and tells how many words of them it went through.
  // kCorrupt where it has more words than `bits`, or fewer than its runs say; then `bits` is
  // anything.
  Result<size_t> flip(BitSet& bits) const;
  size_t word_count() const { return words_.size() / kEwahWordSize; }

 private:
  explicit EwahBitmap(Bytes words) : words_(words) {}

  Bytes words_;
};

}  // namespace resident
