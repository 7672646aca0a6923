#include "tree/event_applier.h"

#include <string_view>

namespace resident {

bool EventApplier::apply(const Batch& batch) {
  bool all_seen = true;
  for (const auto& [watch, marks] : batch.directories()) {
    if (state_.watches.record_hint(watch)) continue;
    if (state_.watches.unwatched() > 0) mark_recent(watch);
    if (marks.whole) all_seen &= recheck_watched(watch, marks.arrived);
    for (const auto& [name, mark] : marks.names) {
      // Look it up each time: handling a name can delete directories.
      DirectoryNode* const node = state_.watches.find(watch);
      if (!node) break;
      if (name.empty()) {
        recheck_directory(*node);
      } else {
        rechecker_.recheck_name(*node, name, mark.arrived);
      }
    }
  }
  return all_seen;
}

// Directories with events should get watches first.
void EventApplier::mark_recent(WatchId watch) {
  if (const DirectoryNode* const node = state_.watches.find(watch)) state_.recent.add(node->path());
}

// Rechecks the directory of this watch and each name in it. False: it could not be listed.
bool EventApplier::recheck_watched(WatchId watch, bool arrived) {
  // Look it up each time: a recheck can delete the node.
  const auto node = [&] { return state_.watches.find(watch); };
  if (node()) recheck_directory(*node());
  if (!node()) return true;
  // Names that were added and removed again are unknown.
  state_.record_in_journal(node()->path());
  Result<Directory> directory = state_.watches.open(*node());
  if (!directory.ok() || !rechecker_.recheck_names(*node(), *directory, arrived)) {
    const DirectoryNode* const unlisted = node();
    if (!unlisted) return true;
    if (!unlisted->parent) return false;
    // The directory is gone or will be read again.
    rechecker_.reread_directory(*unlisted);
    return true;
  }
  if (node() && node()->has_dot_git) rechecker_.recheck_name(*node(), ".git", arrived);
  return true;
}

void EventApplier::recheck_directory(DirectoryNode& node) {
  state_.record_in_journal(node.path());
  if (!node.parent) return;
  const Result<Directory> directory = state_.watches.open(node);
  // If it is gone or replaced, its parent gets an event.
  const bool readable = directory.ok() || directory.error().code == ErrorCode::kNotFound;
  if (readable != node.readable()) rechecker_.reread_directory(node);
}

}  // namespace resident
