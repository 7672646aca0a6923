// IndexBuilder: builds an Index, grouped by directory, from entries in git's order. One builder
// builds one index.
//
// Threads: one. With many entries, it uses a second thread internally from start() to finish().
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "index/directory_grouper.h"
#include "index/entry_runs.h"
#include "index/index.h"
#include "index/index_file.h"
#include "parallel/beside.h"

namespace resident {

class IndexBuilder {
 public:
  explicit IndexBuilder(HashAlgorithm algorithm);
  ~IndexBuilder() { stops_prefault_ = true; }

  // `file` is the main file. All paths together have at most `name_bytes` bytes.
  void start(const IndexFile& file, size_t entries, size_t name_bytes);
  void set_shared_path(std::string path);
  void set_sparse();
  // Adds the next entry. Its path is the first `keep` bytes of the previous path and `suffix`. Its
  // disk bytes must outlive finish(). Errors carry the reason only.
  Result<void> add(const DiskEntry& entry, size_t keep, std::string_view suffix);
  // Adds the next entry of the file if IndexFile::next_sibling() can read it.
  bool add_sibling(IndexFile& file, DiskEntry& entry);
  size_t entry_count() const { return runs_.entry_count(); }  // number of added entries
  // Call it after the last entry. All arguments are of the main file. Pass `marks` only if it is
  // the only file.
  Result<std::shared_ptr<Index>> finish(const IndexFile& file,
                                        const IndexFile::Extensions& extensions,
                                        const FileStat& stat, FsmonitorMarks marks = {});
  // The index of a missing file. Call it instead of all the others.
  std::shared_ptr<Index> finish_empty();

 private:
  void finish_entries(Bytes cache_tree);
  void place_entry(const DiskEntry& entry, const DirectoryGrouper::Place& place) {
    has_gitlinks_ |= entry.is_gitlink();
    index_->may_intend_to_add_ |= (entry.flags & IndexEntry::kIntentToAdd) != 0;
    runs_.add(entry.disk, place);
  }
  Result<void> add_any(const DiskEntry& entry, size_t keep, std::string_view suffix);
  void place_entries(Bytes cache_tree);

  std::shared_ptr<Index> index_;
  DirectoryGrouper grouper_;
  EntryRuns runs_;
  const uint8_t* file_ = nullptr;  // first byte of the main file
  bool has_gitlinks_ = false;
  std::atomic<bool> stops_prefault_ = false;
  // A second thread: maps the file's pages, then faults in the pages of the index's arrays.
  std::optional<Beside> prefault_;
};

inline bool IndexBuilder::add_sibling(IndexFile& file, DiskEntry& entry) {
  std::string_view name;
  if (!file.next_sibling(grouper_.directory_length(), entry, name)) return false;
  place_entry(entry, grouper_.add_checked_sibling(name, entry.stage()));
  return true;
}

inline Result<void> IndexBuilder::add(const DiskEntry& entry, size_t keep,
                                      std::string_view suffix) {
  if (!entry.is_sparse_directory()) {
    DirectoryGrouper::Place place;
    if (grouper_.add_sibling(keep, suffix, entry.stage(), place)) {
      place_entry(entry, place);
      return {};
    }
  }
  return add_any(entry, keep, suffix);
}

}  // namespace resident
