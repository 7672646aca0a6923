#include "status/examine.h"

namespace resident {

namespace {

// True if the entry is skipped or assumed unchanged, for any result of lstat.
bool is_decided_by_flags(const IndexEntry& entry, const WorktreeSettings& settings, Listed listed) {
  if (entry.skip_worktree()) {
    if (!settings.unskip_present) return true;
    // The state depends on whether the file exists.
    if (listed == Listed::kUnknown) return false;
  }
  return entry.stage() == 0 && entry.assume_valid();
}

bool has_too_long_path(const FileSystem& fs, const FileRef& file) {
  const size_t length = file.directory_path.size() + file.name.size();
  const size_t max_name = fs.capabilities().max_name;
  // The usual case, with one comparison.
  if (length <= max_name) return false;
  return is_too_long(fs, length) || file.name.size() - (file.name.rfind('/') + 1) > max_name;
}

}  // namespace

EntryState missing_state(const IndexEntry& entry) {
  if (entry.skip_worktree()) return EntryState::skipped();
  const bool believed = entry.stage() == 0 && entry.assume_valid();
  return believed ? EntryState::clean() : EntryState::absent();
}

EntryState unseen_state(const IndexEntry& entry) {
  const EntryState missing = missing_state(entry);
  return missing.is_clean() ? missing : EntryState::unseen();
}

bool is_known_without_lstat(const RefreshContext& context, uint32_t first, uint32_t end,
                            const FileRef& file, Listed listed, Examined& examined) {
  if (has_too_long_path(context.fs, file)) {
    examined.unseen = true;
    return true;
  }
  if (listed == Listed::kNothing) return true;
  if (listed == Listed::kDirectory) {
    examined.stat.emplace().kind = FileKind::kDirectory;
    return true;
  }
  bool is_decided = true;
  for (uint32_t position = first; position < end && is_decided; ++position) {
    is_decided = is_decided_by_flags(context.index.entries()[position], context.settings, listed);
  }
  if (is_decided && listed == Listed::kFile) examined.stat.emplace().kind = FileKind::kRegular;
  return is_decided;
}

}  // namespace resident
