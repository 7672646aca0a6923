// ReftableTable: one file of a reftable stack. It has refs and reflog entries, each sorted. A large
// section has an index of one or more levels.
//
// git never changes a table file, so an open table is valid as long as the list names it. A large
// file is mapped, a small file is read. Header and footer are checked by open(), blocks and records
// when they are read.
//
// Source: git's Documentation/technical/reftable.
//
// Threads: immutable after open(); a Cursor belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "fs/file_system.h"
#include "fs/mapped_file.h"
#include "refs/reftable_block.h"

namespace resident {

class ReftableTable {
 public:
  // kNotFound: no such file. kCorrupt: the message has the file's name and the fault.
  static Result<std::shared_ptr<const ReftableTable>> open(FileSystem& fs, const std::string& path,
                                                           HashAlgorithm algorithm);

  // Iterates over the records of a section. Must not outlive the table.
  class Cursor {
   public:
    // Moves to the next record. False: no record is left.
    Result<bool> next();
    // Valid until the next call of next().
    const ReftableRecord& record() const { return record_; }

   private:
    friend class ReftableTable;
    Cursor(const ReftableTable& table, ReftableSection section)
        : table_(&table), section_(section) {}
    // Moves before the first record of `block`, or to the end if it belongs to another section.
    void enter(std::optional<ReftableBlock> block);
    Result<void> enter_next();
    Result<bool> seek_in_block(std::string_view key);

    const ReftableTable* table_;
    ReftableSection section_;
    std::optional<ReftableBlock> block_;
    size_t at_ = 0;
    ReftableRecord record_;
    bool is_read_ = false;  // next() must return record_ first
  };

  // A cursor before the first record of `section` whose key is not less than `key`.
  Result<Cursor> seek(ReftableSection section, std::string_view key) const;

  // stat() at open().
  const FileStat& stat() const { return stat_; }
  const std::string& path() const { return path_; }

 private:
  struct Section {
    bool is_there = false;
    uint64_t first = 0;  // offset of the first block
    uint64_t index = 0;  // offset of the index' top level; 0: no index
  };

  ReftableTable() = default;
  Result<void> parse(Bytes file);
  Result<std::optional<ReftableBlock>> block_at(uint64_t offset) const;
  Result<Cursor> seek_in_order(ReftableSection section, uint64_t first, std::string_view key) const;
  Error in_file(Error error) const;

  std::string path_;
  FileStat stat_;
  std::string content_;  // content of a small file; empty: file_ is used
  MappedFile file_;
  Bytes blocks_;  // the file without its footer
  ReftableBlock::Layout layout_;
  Section refs_;
  Section logs_;
};

}  // namespace resident
