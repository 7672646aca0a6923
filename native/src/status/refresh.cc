#include "status/refresh.h"

#include "hash/hasher.h"
#include "object/tree.h"
#include "status/directory_at_file.h"
#include "status/stat_match.h"

namespace resident {

namespace {

bool is_empty_blob(const Index& index, uint32_t position) {
  static const ObjectId kSha1 = hash_object(HashAlgorithm::kSha1, "blob", {});
  static const ObjectId kSha256 = hash_object(HashAlgorithm::kSha256, "blob", {});
  const ObjectId& empty = index.algorithm() == HashAlgorithm::kSha1 ? kSha1 : kSha256;
  return as_text(index.id_bytes(position)) == as_text(empty.bytes());
}

// A directory stands where the index has something.
Refreshed directory_state(const RefreshContext& context, const IndexEntry& entry,
                          const FileRef& file) {
  // The directory of a submodule: its own state is not this entry's business.
  if (entry.mode == kModeGitlink) {
    const bool compared = entry.stage() == 0 && !entry.intent_to_add();
    return compared ? EntryState::clean() : EntryState::present(kModeGitlink, true);
  }
  Refreshed refreshed = directory_at_file_state(context.fs, context.root + "/" + file.path());
  refreshed.is_directory_at_file = true;
  return refreshed;
}

}  // namespace

Refreshed refresh_entry(const RefreshContext& context, uint32_t position, const FileRef& file,
                        const std::optional<FileStat>& stat) {
  const IndexEntry& entry = context.index.entries()[position];
  if (entry.skip_worktree() && !(context.settings.unskip_present && stat)) {
    return EntryState::skipped();
  }
  if (entry.stage() == 0 && entry.assume_valid()) return EntryState::clean();
  if (!stat) return EntryState::absent();
  if (stat->kind == FileKind::kDirectory) {
    return directory_state(context, entry, file);
  }
  StatMatch match = StatMatch::kDiffers;
  if (entry.stage() == 0 && !entry.intent_to_add() && entry.mode != kModeGitlink) {
    const bool empty_blob = entry.stat.size == 0 && is_empty_blob(context.index, position);
    match = match_stat(entry, empty_blob, *stat, context.index.mtime(), context.settings);
  }
  if (match == StatMatch::kSame) return EntryState::clean();
  const uint32_t mode = worktree_mode(entry, *stat, context.settings);
  if (match == StatMatch::kDiffers) return EntryState::present(mode, true);
  if (auto known = context.content_cache.find(position);
      known != context.content_cache.end() && known->second.is_current(*stat)) {
    return known->second.state;
  }
  const Timestamp now = context.fs.now();
  Result<ContentMatch> content = context.content.compare(file, *stat, context.index.id(position));
  if (!content.ok()) {
    if (content.error().code == ErrorCode::kPending) return EntryState();
    if (content.error().code == ErrorCode::kUnsupported) {
      const ComparedContent compared{*stat, now, EntryState::unanswerable(mode)};
      return {compared.state, compared, std::move(content).error()};
    }
    // Gone since lstat: an event or the next look tells. Otherwise git calls what it cannot
    // read modified.
    EntryState state = content.error().code == ErrorCode::kNotFound
                           ? EntryState::absent()
                           : EntryState::present(mode, true).with_warning();
    return {state, {}, std::move(content).error()};
  }
  ComparedContent compared{*stat, content->read_at.value_or(now),
                           content->same ? EntryState::clean() : EntryState::present(mode, true)};
  if (content->git_warns) compared.state = compared.state.with_warning();
  return {compared.state, compared, {}};
}

}  // namespace resident
