// Inflates zlib streams of loose objects, pack entries and reflogs with libdeflate.
//
// libdeflate inflates only whole buffers and has no streaming. If the output buffer is too small,
// its content is unspecified. Therefore a caller must know the size or give a limit.
//
// Threads: any; each thread has its own decompressor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace resident {

// The maximum expansion of any deflate stream. A header that claims more is wrong.
inline constexpr uint64_t kMaxDeflateRatio = 1032;

// Inflates the stream at the front of `compressed` and ignores bytes after it. Errors are returned
// before memory is allocated for an impossible or too large size. They do not name the file.
// - kCorrupt: the stream does not inflate to exactly `size` bytes.
// - kUnsupported: `size` is over `limit`.
//
// `used`, if not null, receives the number of bytes of the stream.
Result<std::string> inflate_exactly(Bytes compressed, uint64_t size, uint64_t limit,
                                    size_t* used = nullptr);

// Inflates all of `compressed`, a stream of unknown size. Fails with kCorrupt if it is damaged or
// if bytes follow it. Fails with kUnsupported if it inflates to more than `limit` bytes.
Result<std::string> inflate_whole(Bytes compressed, uint64_t limit);

// The same value as zlib's crc32().
uint32_t crc32_of(Bytes bytes);

}  // namespace resident
