// RefreshPart: compares a part of an index file with the entries that were read from it before, and
// collects the differences. It changes nothing.
//
// Runs of entries with an unchanged fingerprint are skipped. If entries were added or removed, both
// sides are merged by path.
//
// Threads: one. Several parts of one file may be compared in parallel.
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
  // An entry whose fields changed.
  struct Change {
    uint32_t position;
    const uint8_t* disk;
  };
  // A new entry in a directory that the index has.
  struct Addition {
    uint32_t directory;
    uint32_t before;  // position of the entry behind it
    std::string name;
    const uint8_t* disk;
  };
  // New data of a run. Added or removed entries can split a run into several runs, in the order of
  // the file, or leave it empty.
  struct Learned {
    size_t run;
    IndexRun now;
  };

  // `mtime` is the file's. `file` is positioned at the first entry of the part; `path` is the path
  // before that entry. Without `may_move` an added or removed path makes compare() fail.
  RefreshPart(const Index& index, std::span<const IndexRun> runs, Timestamp mtime, IndexFile file,
              std::string path, bool may_move)
      : file_(std::move(file)),
        index_(index),
        runs_(runs),
        mtime_(mtime),
        path_(std::move(path)),
        position_(file_.offset()),
        may_move_(may_move) {}

  // Compares the next entries of the file with the runs [first, last). False: the index differs too
  // much, or the file is damaged.
  bool compare(size_t first, size_t last);

  // Results. Positions are those before the refresh.
  const std::vector<Change>& changes() const { return changes_; }
  const std::vector<Addition>& additions() const { return additions_; }
  const std::vector<uint32_t>& removed() const { return removed_; }
  const std::vector<Learned>& learned() const { return learned_; }
  // Entries that changed, or that are racily clean by the mtime of only one of the two files.
  const std::vector<uint32_t>& differing() const { return differing_; }
  // Number of entries that were compared.
  size_t compared() const { return compared_; }
  // The file, positioned behind the part.
  const IndexFile& file() const { return file_; }
  // True if the last entry has the same path as the last entry before.
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
  std::string path_;         // version 4: path of the entry that was read last
  std::string path_before_;  // path before the current run
  size_t position_;          // offset of the next run in the file
  const bool may_move_;
  uint32_t newest_ = 0;  // latest mtime in the current run
  bool ends_as_known_ = true;

  std::vector<Change> changes_;
  std::vector<Addition> additions_;
  std::vector<uint32_t> removed_;
  std::vector<Learned> learned_;
  std::vector<uint32_t> differing_;
  size_t compared_ = 0;
};

}  // namespace resident
