// PackedRefs: one version of the file packed-refs, mapped.
//
// A header "# pack-refs with: <traits>", then "<hex id> <name>\n" per ref, sorted by name where the
// header says "sorted"; a line "^<hex id>" gives what an annotated tag above it leads to. A sorted
// file is searched as it lies, another one through a table made at opening. Lines are checked when
// they are looked at.
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
  // kNotFound where there is no such file, kCorrupt where its header or its last line is malformed.
  static Result<std::shared_ptr<const PackedRefs>> open(const std::string& path,
                                                        HashAlgorithm algorithm);

  Result<std::optional<ObjectId>> find(std::string_view name) const;
  // Adds each ref whose name starts with `prefix`, by name.
  Result<void> add_below(std::string_view prefix, RefBackend::Listed& refs) const;
  // Whether a name starts with `prefix`.
  Result<bool> has_below(std::string_view prefix) const;

  // Of the file that is mapped.
  const FileStat& stat() const { return file_.stat(); }

 private:
  struct Record {
    std::string_view id;
    std::string_view name;
  };

  PackedRefs(std::string path, MappedFile file, HashAlgorithm algorithm);
  Result<void> parse_header();
  Result<void> build_table();
  // The first record whose name is `name` or comes after it; nullopt where all come before.
  Result<std::optional<Record>> first_from(std::string_view name) const;
  std::vector<Record>::const_iterator in_table_from(std::string_view name) const;
  // The ref on the line that starts at `start` of lines_.
  Result<Record> record_at(size_t start) const;
  size_t start_of_record(size_t position, size_t low) const;
  size_t end_of_record(size_t position) const;
  Error corrupt(size_t start) const;
  Result<std::optional<ObjectId>> id_of(const Record& record) const;
  // Where the line behind that of the ref starts.
  size_t end_of_line(const Record& record) const;
  Result<std::optional<ObjectId>> peeled_at(size_t start) const;
  Result<void> add(const Record& record, RefBackend::Listed& refs) const;

  std::string path_;
  MappedFile file_;
  size_t hex_size_;
  std::string_view lines_;  // what follows the header; empty or ends in a newline
  bool sorted_ = false;
  std::vector<Record> table_;  // sorted by name; only where the file is not
};

}  // namespace resident
