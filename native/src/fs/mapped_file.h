// MappedFile: the bytes of a regular file, mapped read-only. The destructor unmaps them.
//
// git replaces the files that we map (index, packs) by rename, and never truncates them in place.
// If another program truncates a mapped file, the missing bytes read as zeros and is_whole()
// returns false.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "fs/file_stat.h"
#include "fs/mapping_guard.h"

namespace resident {

class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);
  // Makes the system map these bytes now, before they are read. Stops when `enough` is set.
  static void map_ahead(Bytes bytes, const std::atomic<bool>& enough);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  Bytes bytes() const { return {data_, size_}; }
  // False: some bytes that were read are not the file's.
  bool is_whole() const { return !guard_.was_cut(); }
  // Result of fstat on the mapped file.
  const FileStat& stat() const { return stat_; }

 private:
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  FileStat stat_;
  MappingGuard guard_;
};

}  // namespace resident
