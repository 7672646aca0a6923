#include "status/first_untracked.h"

#include <cerrno>
#include <string>

#include "fs/fast_file_access.h"

namespace resident {

Result<Directory> FirstUntracked::open(const DirectoryNode& node, const Directory& parent) {
  if (is_too_long(fs(), current_.path().size())) {
    return error_from_errno(ENAMETOOLONG, std::string(current_.path()));
  }
  return fs().open_directory_at(parent, node.name);
}

// Appends the next names. False: no more names follow.
Result<bool> FirstUntracked::list_more(const Directory& directory, DirectoryListing& listing) {
  if (FastFileAccess* const fast = fs().fast_access()) return fast->list_more(directory, listing);
  RESIDENT_CHECK(fs().list(directory, listing));
  return false;
}

// Lists up to two parts: enough for a small directory, or to know that it is large. True: the
// listing is complete. False: it may have more names.
Result<bool> FirstUntracked::list_beginning(const Directory& directory, DirectoryListing& listing) {
  for (int part = 0; part < 2; ++part) {
    RESIDENT_TRY(const bool more, list_more(directory, listing));
    if (!more) return true;
  }
  return false;
}

Result<bool> FirstUntracked::find_in(DirectoryNode& node, const Directory& directory) {
  DirectoryListing listing;
  RESIDENT_TRY(bool ended, list_beginning(directory, listing));
  if (ended) {
    git_files_.read(node, directory, listing);
  } else {
    git_files_.read_unlisted(node, directory);
  }
  while (!node.nested_repository()) {
    if (find_among(node, directory, listing)) return true;
    if (ended) break;
    listing.clear();
    RESIDENT_TRY(const bool more, list_more(directory, listing));
    ended = !more;
  }
  return false;
}

bool FirstUntracked::find(DirectoryNode& node, const Directory& parent) {
  node.begin_reading();
  current_.set_path(node);
  entries_.begin_without_lookup(node, Listed::kNothing);
  const Result<Directory> directory = open(node, parent);
  Result<bool> found = false;
  if (directory.ok()) {
    ++findings_.directories;
    current_.begin_listing(node, *directory);
    found = find_in(node, *directory);
  } else {
    found = directory.error();
  }
  if (found.ok()) {
    current_.record_searchable(node, *directory);
  } else {
    entries_.record_unreadable(node, {}, found.error());
  }
  node.end_reading();
  const bool is_nested = node.nested_repository();
  if (is_nested || !node.others().empty()) findings_.with_others.push_back(&node);
  if (is_nested) return context_.limit.directory(current_.path()) != PathspecMatch::kLeading;
  return found.ok() && *found;
}

bool FirstUntracked::find_among(DirectoryNode& node, const Directory& directory,
                                const DirectoryListing& listing) {
  for (size_t i = 0; i < listing.size(); ++i) {
    const size_t others = node.others().size();
    if (DirectoryNode* child = names_.take(node, directory, listing[i])) {
      const bool found = find(*child, directory);
      current_.set_path(node);
      if (found) return true;
    } else if (node.others().size() > others && node.others().back().kind == OtherKind::kFile &&
               context_.limit.has_file(current_.path_of(listing[i].name))) {
      return true;
    }
  }
  return false;
}

}  // namespace resident
