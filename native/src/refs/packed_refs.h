// PackedRefs: one version of the file packed-refs, mapped.
//
// A header "# pack-refs with: <traits>" may come first. Then comes a line "<hex id> <name>\n" for
// each ref, sorted by name if the header has "sorted". After an annotated tag, a line "^<hex id>"
// has the object that the tag points to. A sorted file is searched in place. For other files open()
// builds a table. Lines are checked when they are read.
//
// Threads: constant after open().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fs/mapped_file.h"
#include "hash/object_id.h"
#include "refs/ref_backend.h"

namespace resident {

class PackedRefs {
 public:
  // kNotFound: no such file. kCorrupt: the header or the last line is malformed.
  static Result<std::shared_ptr<const PackedRefs>> open(const std::string& path,
                                                        HashAlgorithm algorithm);

  Result<std::optional<ObjectId>> find(std::string_view name) const;
  // Adds each ref whose name starts with `prefix`, sorted by name.
  Result<void> add_below(std::string_view prefix, RefBackend::Listed& refs) const;

  // stat() of the mapped file.
  const FileStat& stat() const { return file_.stat(); }

 private:
  struct Record {
    std::string_view id;
    std::string_view name;
  };

  PackedRefs(std::string path, MappedFile file, HashAlgorithm algorithm);
  Result<void> parse_header();
  Result<void> build_table();
  // The first record whose name is not less than `name`. nullopt: all names are less.
  Result<std::optional<Record>> first_from(std::string_view name) const;
  std::vector<Record>::const_iterator in_table_from(std::string_view name) const;
  // The ref on the line that starts at `start` in lines_.
  Result<Record> record_at(size_t start) const;
  size_t start_of_record(size_t position, size_t low) const;
  size_t end_of_record(size_t position) const;
  Error corrupt(size_t start) const;
  Result<std::optional<ObjectId>> id_of(const Record& record) const;
  // The start of the line after the ref's line.
  size_t end_of_line(const Record& record) const;
  Result<std::optional<ObjectId>> peeled_at(size_t start) const;
  Result<void> add(const Record& record, RefBackend::Listed& refs) const;

  std::string path_;
  MappedFile file_;
  size_t hex_size_;
  std::string_view lines_;  // content after the header; empty or ends in a newline
  bool sorted_ = false;
  std::vector<Record> table_;  // sorted by name; empty if the file is sorted
};

}  // namespace resident
