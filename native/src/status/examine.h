// examine_path: determines the state of the index entries of one path. It calls lstat unless their
// flags or the directory listing are enough, then refresh_entry() for each stage.
//
// Threads: any.
#pragma once

#include <optional>
#include <utility>

#include "index/index.h"
#include "status/entry_state.h"
#include "status/refresh.h"

namespace resident {

// Result for a path from the listing of its directory.
enum class Listed : uint8_t {
  kUnknown,  // the directory was not listed
  kNothing,
  kFile,  // anything but a directory
  kDirectory,
};

struct Examined {
  Examined() {}  // NOLINT: a defaulted constructor clears all bytes

  bool lstat = false;            // lstat was called
  std::optional<FileStat> stat;  // the file at the path; without lstat, only its kind is valid
  // git cannot see the path: it is too long, or lstat failed with another error than "not found".
  bool unseen = false;
  std::optional<Error> refusal;
};

// State of an entry whose path is missing, and of one whose path git cannot see.
EntryState missing_state(const IndexEntry& entry);
EntryState unseen_state(const IndexEntry& entry);

// True if git's system calls fail with this path length. git uses each path from the root.
inline bool is_too_long(const FileSystem& fs, size_t path_length) {
  return path_length >= fs.capabilities().max_path;
}

// True if flags and listing are enough; the result is then in `examined`.
bool is_known_without_lstat(const RefreshContext& context, uint32_t first, uint32_t end,
                            const FileRef& file, Listed listed, Examined& examined);

// Only the lstat part. Entries first..end-1 are the stages of the path `file`.
inline Examined examine_path(const RefreshContext& context, uint32_t first, uint32_t end,
                             const FileRef& file, Listed listed) {
  Examined examined;
  if (is_known_without_lstat(context, first, end, file, listed, examined)) return examined;
  examined.lstat = true;
  Result<FileStat> looked = context.fs.stat_at(file.directory, file.name);
  if (looked.ok()) {
    examined.stat = *looked;
  } else if (looked.error().code != ErrorCode::kNotFound) {
    examined.unseen = true;
    examined.refusal = std::move(looked).error();
  }
  return examined;
}

// Calls `take(position, Refreshed)` for each stage first..end-1 of the path `file`.
template <typename Take>
Examined examine_path(const RefreshContext& context, uint32_t first, uint32_t end,
                      const FileRef& file, Listed listed, Take&& take) {
  Examined examined = examine_path(context, first, end, file, listed);
  for (uint32_t position = first; position < end; ++position) {
    take(position, examined.unseen ? Refreshed(unseen_state(context.index.entries()[position]))
                                   : refresh_entry(context, position, file, examined.stat));
  }
  return examined;
}

}  // namespace resident
