// FsmonitorMarks: what the extension "FSMN" of an index says.
//
// git writes the token of its monitor's last answer, and which entries it does not take for
// unchanged since ("dirty"). When it reads the index it looks at the dirty ones whatever the next
// answer tells, and believes the others unless that names them.
//
// Source: git's Documentation/gitformat-index.txt; fsmonitor.c.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace resident {

struct FsmonitorMarks {
  // Empty: nothing is known. Of version 1, which has a time, and where more is to be kept than
  // kMaxDirty and kLongestToken allow.
  std::string token;
  // Positions of entries, ascending; nothing without a token.
  std::vector<uint32_t> dirty;

  static constexpr size_t kMaxDirty = size_t{1} << 16;
  static constexpr size_t kLongestToken = 256;
};

// The content of the extension in an index of that many entries, positions as in the file. nullopt
// where git complains of it.
std::optional<FsmonitorMarks> read_fsmonitor_marks(Bytes extension, uint32_t entry_count);

}  // namespace resident
