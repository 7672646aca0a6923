// zlib streams of loose objects, pack entries and reflogs, inflated by libdeflate.
//
// libdeflate inflates whole buffers only: it has no streaming, and what it wrote before it ran out
// of room is unspecified. So a caller knows the size beforehand, or gives a limit.
//
// Threads: any; the decompressor behind it is one per thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace resident {

// No deflate stream expands by more than this factor, so a header that claims more is wrong.
inline constexpr uint64_t kMaxDeflateRatio = 1032;

// The stream at the front of `compressed`, which must inflate to exactly `size` bytes; what follows
// it is ignored. kCorrupt otherwise, and kUnsupported where `size` is over `limit`; both before
// memory is taken for a size that the bytes cannot hold. Errors do not know the file.
// `used`, where given, is then how many of the bytes are the stream's.
Result<std::string> inflate_exactly(Bytes compressed, uint64_t size, uint64_t limit,
                                    size_t* used = nullptr);

// The stream that is the whole of `compressed`, of unknown size. kCorrupt where it is damaged or
// bytes follow it; kUnsupported where it inflates to more than `limit` bytes.
Result<std::string> inflate_whole(Bytes compressed, uint64_t limit);

// As zlib's crc32() computes it.
uint32_t crc32_of(Bytes bytes);

}  // namespace resident
