#include "status/directory_entries.h"

#include <algorithm>
#include <utility>

#include "hash/name_sum.h"
#include "status/absent.h"
#include "status/directory_patterns.h"

namespace resident {

bool DirectoryEntries::are_exactly(const DirectoryNode& node,
                                   const DirectoryListing& listing) const {
  if (!node.is_tracked() || node.submodule || context_.watch_only) return false;
  const auto entries = index().entries_of(node.index_directory);
  size_t files = 0;
  for (size_t i = 0; i < listing.size(); ++i) {
    const FileKind kind = listing.kind(i);
    if (kind == FileKind::kUnknown) return false;
    files += kind != FileKind::kDirectory;
  }
  if (files != entries.size()) return false;
  NameSum listed, expected;
  for (size_t i = 0; i < listing.size(); ++i) {
    if (listing.kind(i) != FileKind::kDirectory) listed.add(listing[i].name);
  }
  for (const IndexEntry& entry : entries) expected.add(index().name(entry));
  return listed == expected;
}

size_t DirectoryEntries::count_of(const DirectoryNode& node) const {
  return node.is_tracked() ? index().entries_of(node.index_directory).size() : 0;
}

void DirectoryEntries::begin(const DirectoryNode& node, Listed listed) {
  lookup_.assign(index(), node.index_directory);
  listed_.assign(count_of(node), listed);
}

void DirectoryEntries::begin_without_lookup(const DirectoryNode& node, Listed listed) {
  lookup_.assign(index(), kNoDirectory);
  listed_.assign(count_of(node), listed);
}

bool DirectoryEntries::has_hidden_gitignore() const {
  auto position = lookup_.find(kGitignore);
  return position && lookup_.entries()[*position].skip_worktree();
}

// Entries outside the limit count as clean. False: no stage is inside.
bool DirectoryEntries::is_asked_about(uint32_t first, uint32_t end) {
  if (context_.limit.is_everything()) return true;
  bool some = false;
  for (uint32_t position = first; position < end; ++position) {
    some = some || context_.limit.has_entry(index(), position);
  }
  if (!some) {
    std::fill(context_.states.begin() + first, context_.states.begin() + end, EntryState::clean());
  }
  return some;
}

// Some stages of a path can be outside the limit.
void DirectoryEntries::record(const DirectoryNode& node, uint32_t position,
                              const Refreshed& refreshed) {
  if (index().entries()[position].stage() != 0 && !context_.limit.has_entry(index(), position)) {
    context_.states[position] = EntryState::clean();
    return;
  }
  record_refreshed(context_, findings_, node, position, refreshed);
}

void DirectoryEntries::examine(const DirectoryNode& node, const Directory& directory) {
  if (!node.is_tracked()) return;
  const IndexDirectory& in_index = index().directories()[node.index_directory];
  const std::string_view directory_path = current_.path();
  const uint32_t end = in_index.first_entry + in_index.entry_count;
  for (uint32_t next = in_index.first_entry; next < end;) {
    const uint32_t position = next;
    const std::string_view name = index().name(index().entries()[position]);
    next = index().end_of_path(position, end);
    if (!is_asked_about(position, next)) continue;
    const FileRef file{directory, name, directory_path};
    Listed listed = listed_[position - in_index.first_entry];
    // git calls lstat even for a name that is not listed. The call may fail without search
    // permission, or find another spelling of the name.
    if (listed == Listed::kNothing && !(context_.refresh.fs.capabilities().case_sensitive &&
                                        current_.may_be_searched(node, directory))) {
      listed = Listed::kUnknown;
    }
    const Examined examined = examine_path(
        context_.refresh, position, next, file, listed,
        [&](uint32_t stage, const Refreshed& refreshed) { record(node, stage, refreshed); });
    if (!examined.lstat) continue;
    ++findings_.lstats;
    if (examined.stat) {
      current_.mark_searched();
      links_.record(file, *examined.stat);
    }
    if (examined.refusal) record_problem(findings_, node, *examined.refusal);
  }
  if (context_.files_seen) {
    context_.files_seen->fetch_add(in_index.entry_count, std::memory_order_relaxed);
  }
}

// A directory without permission to list can still allow lstat (x without r). git does not report
// files that it cannot lstat.
void DirectoryEntries::record_unreadable(DirectoryNode& node, const DirectoryOpener::Above& above,
                                         const Error& error) {
  node.set_readable(false);
  if (error.code != ErrorCode::kNotFound) record_problem(findings_, node, error);
  const bool is_other = node.parent && (node.submodule || !node.is_tracked());
  if (is_other && error.code != ErrorCode::kNotFound) findings_.unreadable.push_back(&node);
  if (!node.is_tracked()) return;
  if (error.code == ErrorCode::kNotFound || !above.directory) {
    return mark_absent(context_, node.index_directory, findings_);
  }
  findings_.unreadable.push_back(&node);
  const auto [first, last] = index().subtree_entries(node.index_directory);
  for (uint32_t next = first; next < last;) {
    const uint32_t position = std::exchange(next, index().end_of_path(next));
    if (!is_asked_about(position, next)) continue;
    const std::string path = index().path(position);
    const FileRef file{*above.directory, std::string_view(path).substr(above.length),
                       std::string_view(path).substr(0, above.length)};
    const Examined examined = examine_path(
        context_.refresh, position, next, file, Listed::kUnknown,
        [&](uint32_t stage, const Refreshed& refreshed) { record(node, stage, refreshed); });
    findings_.lstats += examined.lstat;
  }
}

}  // namespace resident
