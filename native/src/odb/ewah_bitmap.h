// EwahBitmap: a view of a compressed bitmap in a file (base/ewah.h). Only flip() unpacks it.
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

  // Reads the bitmap at the reader's position and moves the reader past it. The words are a view of
  // the reader's bytes and are not checked yet. kCorrupt: the bitmap ends beyond the bytes.
  static Result<EwahBitmap> read(ByteReader& reader);

  // Flips each bit of `bits` that is set in the bitmap. Returns the number of words of `bits` that
  // it changed. kCorrupt: the bitmap has more words than `bits`, or fewer than its runs count.
  // After an error the content of `bits` is undefined.
  Result<size_t> flip(BitSet& bits) const;
  size_t word_count() const { return words_.size() / kEwahWordSize; }

 private:
  explicit EwahBitmap(Bytes words) : words_(words) {}

  Bytes words_;
};

}  // namespace resident
