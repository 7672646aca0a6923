// ReftableTable: one file of a stack of reftables: refs and entries of reflogs, each sorted, with
// an index of any number of levels where there are many.
//
// Git never writes to a table again, so what was opened holds as long as the file is listed. A
// large one is mapped, a small one is read. Header and footer are checked at opening, blocks and
// records when they are looked at.
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
  // kNotFound where there is no such file; kCorrupt with the file's name and what is wrong.
  static Result<std::shared_ptr<const ReftableTable>> open(FileSystem& fs, const std::string& path,
                                                           HashAlgorithm algorithm);

  // Goes through the records of a section. Must not outlive the table.
  class Cursor {
   public:
    // To the next record; false behind the last one.
    Result<bool> next();
    // Valid until the next call of next().
    const ReftableRecord& record() const { return record_; }

   private:
    friend class ReftableTable;
    Cursor(const ReftableTable& table, ReftableSection section)
        : table_(&table), section_(section) {}
    // To its first record; to the end where it is none of this section.
    void enter(std::optional<ReftableBlock> block);
    Result<void> enter_next();
    Result<bool> seek_in_block(std::string_view key);

    const ReftableTable* table_;
    ReftableSection section_;
    std::optional<ReftableBlock> block_;
    size_t at_ = 0;
    ReftableRecord record_;
    bool is_read_ = false;  // record_ is what next() goes to
  };

  // Before the first record of `section` whose key is `key` or comes after it.
  Result<Cursor> seek(ReftableSection section, std::string_view key) const;

  // As it was opened.
  const FileStat& stat() const { return stat_; }
  const std::string& path() const { return path_; }

 private:
  struct Section {
    bool is_there = false;
    uint64_t first = 0;  // the first block
    uint64_t index = 0;  // the first block of the index' top level; 0: none
  };

  ReftableTable() = default;
  Result<void> parse(Bytes file);
  Result<std::optional<ReftableBlock>> block_at(uint64_t offset) const;
  Result<Cursor> seek_in_order(ReftableSection section, uint64_t first, std::string_view key) const;
  Error in_file(Error error) const;

  std::string path_;
  FileStat stat_;
  std::string content_;  // or else
  MappedFile file_;
  Bytes blocks_;  // from the file's begin to its footer
  ReftableBlock::Layout layout_;
  Section refs_;
  Section logs_;
};

}  // namespace resident
