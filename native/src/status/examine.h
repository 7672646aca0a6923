// examine_path: what the index entries of one path are now. lstat where their flags and the
// directory's listing leave that open, then refresh_entry() for each stage.
//
// Threads: any.
#pragma once

#include <optional>
#include <utility>

#include "index/index.h"
#include "status/entry_state.h"
#include "status/refresh.h"

namespace resident {

// What the listing of its directory says of a path.
enum class Listed : uint8_t {
  kUnknown,  // there is no listing
  kNothing,
  kFile,  // anything but a directory
  kDirectory,
};

struct Examined {
  Examined() {}  // NOLINT: a defaulted one clears all bytes of it

  bool lstat = false;            // it was called
  std::optional<FileStat> stat;  // of what stands there; without lstat, only its kind is right
  // git cannot see what stands there: the path is too long, or lstat was refused.
  bool unseen = false;
  std::optional<Error> refusal;
};

// What an entry is when nothing stands at its path, and when that cannot be seen.
EntryState missing_state(const IndexEntry& entry);
EntryState unseen_state(const IndexEntry& entry);

// What a system call refuses, as git meets it: it names each path from the root.
bool is_too_long(size_t path_length);

// Whether flags and listing say all; then it stands in `examined`.
bool is_known_without_lstat(const RefreshContext& context, uint32_t first, uint32_t end,
                            const FileRef& file, Listed listed, Examined& examined);

// The look alone. Entries first..end-1 are the stages of the path `file`.
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

// Calls `take(position, Refreshed)` for each of the stages first..end-1 of the path `file`.
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
