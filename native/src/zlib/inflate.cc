#include "zlib/inflate.h"

#include <libdeflate.h>

#include <algorithm>
#include <memory>

namespace resident {

namespace {

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};
using Decompressor = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

libdeflate_decompressor* this_threads_decompressor() {
  thread_local Decompressor decompressor(libdeflate_alloc_decompressor());
  return decompressor.get();
}

Error out_of_memory() {
  return {ErrorCode::kIo, "out of memory while inflating"};
}
Error damaged() {
  return {ErrorCode::kCorrupt, "damaged zlib stream"};
}
Error too_large(uint64_t limit) {
  return {ErrorCode::kUnsupported, "larger than the limit of " + std::to_string(limit) + " bytes"};
}

// The most that `compressed` bytes can inflate to, saturating.
uint64_t most_inflated(uint64_t compressed) {
  return compressed > UINT64_MAX / kMaxDeflateRatio ? UINT64_MAX : compressed * kMaxDeflateRatio;
}

}  // namespace

Result<std::string> inflate_exactly(Bytes compressed, uint64_t size, uint64_t limit, size_t* used) {
  if (size > most_inflated(compressed.size())) {
    return Error{ErrorCode::kCorrupt, "claims " + std::to_string(size) +
                                          " bytes, more than its compressed bytes can hold"};
  }
  if (size > limit) return too_large(limit);
  libdeflate_decompressor* decompressor = this_threads_decompressor();
  if (!decompressor) return out_of_memory();
  std::string out(static_cast<size_t>(size), '\0');
  size_t taken = 0;
  // Told nowhere what it produced, it accepts no other size.
  switch (libdeflate_zlib_decompress_ex(decompressor, compressed.data(), compressed.size(),
                                        out.data(), out.size(), &taken, nullptr)) {
    case LIBDEFLATE_SUCCESS:
      if (used) *used = taken;
      return out;
    case LIBDEFLATE_SHORT_OUTPUT:
      return Error{ErrorCode::kCorrupt, "inflates to less than its header claims"};
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      return Error{ErrorCode::kCorrupt, "inflates to more than its header claims"};
    default:
      return damaged();
  }
}

Result<std::string> inflate_whole(Bytes compressed, uint64_t limit) {
  libdeflate_decompressor* decompressor = this_threads_decompressor();
  if (!decompressor) return out_of_memory();
  // Text packs to a third or a quarter, so the first guess mostly fits; each further one costs a
  // restart.
  constexpr uint64_t kFirstGuess = 4, kGrowth = 8, kLeast = 512;
  const uint64_t bound = std::min(most_inflated(compressed.size()), limit);
  uint64_t room = std::min(std::max(kLeast, compressed.size() * kFirstGuess), bound);
  for (;;) {
    std::string out(static_cast<size_t>(room), '\0');
    size_t used = 0, produced = 0;
    switch (libdeflate_zlib_decompress_ex(decompressor, compressed.data(), compressed.size(),
                                          out.data(), out.size(), &used, &produced)) {
      case LIBDEFLATE_SUCCESS:
        if (used != compressed.size()) {
          return Error{ErrorCode::kCorrupt, "garbage after the zlib stream"};
        }
        out.resize(produced);
        return out;
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        if (room == bound) return bound == limit ? too_large(limit) : damaged();
        room = room > bound / kGrowth ? bound : room * kGrowth;
        break;
      default:
        return damaged();
    }
  }
}

uint32_t crc32_of(Bytes bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

}  // namespace resident
