// FsmonitorMarks: the content of the index extension "FSMN".
//
// git writes the token of its monitor's last answer, and the entries that may have changed since
// ("dirty"). When git reads the index, it checks the dirty entries whatever the next answer says.
// It trusts the other entries unless the answer names them.
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
  // Empty: nothing is known. Also empty for version 1, which has a time instead of a token, and
  // beyond kMaxDirty or kLongestToken.
  std::string token;
  // Positions of entries, ascending; empty without a token.
  std::vector<uint32_t> dirty;

  static constexpr size_t kMaxDirty = size_t{1} << 16;
  static constexpr size_t kLongestToken = 256;
};

// Reads the extension of an index with `entry_count` entries. Positions are those in the file.
// nullopt if git writes an error message about it.
std::optional<FsmonitorMarks> read_fsmonitor_marks(Bytes extension, uint32_t entry_count);

}  // namespace resident
