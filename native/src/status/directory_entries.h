// DirectoryEntries: the index entries of one directory, during a scan. It finds them by name, notes
// which are listed, and examines them.
//
// Threads: one worker.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "index/entry_lookup.h"
#include "status/current_directory.h"
#include "status/directory_opener.h"
#include "status/examine.h"
#include "status/hard_links.h"

namespace resident {

class DirectoryEntries {
 public:
  // All parameters must outlive this object.
  DirectoryEntries(const ScanContext& context, ScanFindings& findings, CurrentDirectory& current,
                   HardLinks& links)
      : context_(context), findings_(findings), current_(current), links_(links) {}

  // True if the listed files are exactly the entries of `node`.
  bool are_exactly(const DirectoryNode& node, const DirectoryListing& listing) const;
  // Begins a directory. `listed` holds for each entry that find() does not find.
  void begin(const DirectoryNode& node, Listed listed);
  // The same without find(), which is then false for every name.
  void begin_without_lookup(const DirectoryNode& node, Listed listed);

  // The position in the index of the entry with that name. Notes that it is listed.
  std::optional<uint32_t> find(std::string_view name, Listed listed) {
    const auto found = lookup_.find(name);
    if (!found) return std::nullopt;
    listed_[*found] = listed;
    return index().position(lookup_.entries()[*found]);
  }
  // True if the index has a .gitignore that is not checked out.
  bool has_hidden_gitignore() const;

  void examine(const DirectoryNode& node, const Directory& directory);
  // `node` cannot be opened or listed. Examines its entries from `above`, which may have no open
  // directory.
  void record_unreadable(DirectoryNode& node, const DirectoryOpener::Above& above,
                         const Error& error);

 private:
  const Index& index() const { return context_.refresh.index; }
  size_t count_of(const DirectoryNode& node) const;
  bool is_asked_about(uint32_t first, uint32_t end);
  void record(const DirectoryNode& node, uint32_t position, const Refreshed& refreshed);

  const ScanContext& context_;
  ScanFindings& findings_;
  CurrentDirectory& current_;
  HardLinks& links_;
  // Scratch memory, reused for each directory.
  EntryLookup lookup_;
  std::vector<Listed> listed_;  // by position in lookup_.entries()
};

}  // namespace resident
