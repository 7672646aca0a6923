// RefreshPart: goes along a part of an index file beside the entries of the index that was read
// from that place before, and notes what is different. Nothing is changed.
//
// Runs of entries whose bytes are known by their fingerprint are passed over. Where entries came or
// went, both sides are merged by their paths.
//
// Threads: one; several parts of one file may be gone along at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/disk_entry.h"
#include "index/index.h"
#include "index/index_file.h"

namespace resident {

class RefreshPart {
 public:
  // An entry whose fields are others than before.
  struct Change {
    uint32_t position;
    const uint8_t* disk;
  };
  // An entry that came, into a directory that the index has.
  struct Addition {
    uint32_t directory;
    uint32_t before;  // the position that it comes before
    std::string name;
    const uint8_t* disk;
  };
  // A run that is to be what this one is. For a run into which entries came, or from which they
  // went, there are several, in the order of the file, or one without entries.
  struct Learned {
    size_t run;
    IndexRun now;
  };

  // `mtime` is the file's. `file` stands at the first entry, before which comes one with `path`.
  // Without `may_move` every path that came or went is another index.
  RefreshPart(const Index& index, std::span<const IndexRun> runs, Timestamp mtime, IndexFile file,
              std::string path, bool may_move)
      : file_(std::move(file)),
        index_(index),
        runs_(runs),
        mtime_(mtime),
        path_(std::move(path)),
        position_(file_.offset()),
        may_move_(may_move) {}

  // Goes along the next entries of the file beside the runs [first, last). False: it is another
  // index, or damaged.
  bool compare(size_t first, size_t last);

  // What was found. Positions are those before.
  const std::vector<Change>& changes() const { return changes_; }
  const std::vector<Addition>& additions() const { return additions_; }
  const std::vector<uint32_t>& removed() const { return removed_; }
  const std::vector<Learned>& learned() const { return learned_; }
  // Entries that are not what they were, or racily clean by the time of one of the files only.
  const std::vector<uint32_t>& differing() const { return differing_; }
  // Entries that were looked at.
  size_t compared() const { return compared_; }
  // At what comes next.
  const IndexFile& file() const { return file_; }
  // The last entry has the path that was the last one before.
  bool ends_as_known() const { return ends_as_known_; }

 private:
  struct Mark {
    size_t changes, differing;
  };
  bool is_as_it_was(size_t run) const;
  void stand_before(size_t run);
  void prefetch(const IndexRun& run) const;
  bool compare(const IndexRun& run);
  bool compare(uint32_t position, const IndexEntry& known, const DiskEntry& entry);
  bool merge(size_t run);
  std::optional<uint32_t> record_addition(std::string_view path, const DiskEntry& entry);
  IndexRun& learn(size_t run, const IndexRun& now);
  void end_run(IndexRun& run, size_t end) const;
  std::string_view path_of(const DiskEntry& entry);
  bool is_in(std::string_view path, uint32_t directory) const;
  bool has_same_id(uint32_t position, const DiskEntry& entry) const;
  size_t length(size_t run) const { return runs_[run + 1].offset - runs_[run].offset; }

  IndexFile file_;
  const Index& index_;
  const std::span<const IndexRun> runs_;
  const Timestamp mtime_;
  const size_t id_size_ = hash_size(index_.algorithm());
  const bool compressed_ = file_.version() == 4;
  std::string path_;         // where compressed, of the entry that was read last
  std::string path_before_;  // the run that is read
  size_t position_;          // of the next run in the file
  const bool may_move_;
  uint32_t newest_ = 0;  // mtime of the run that is read
  bool ends_as_known_ = true;

  std::vector<Change> changes_;
  std::vector<Addition> additions_;
  std::vector<uint32_t> removed_;
  std::vector<Learned> learned_;
  std::vector<uint32_t> differing_;
  size_t compared_ = 0;
};

}  // namespace resident
