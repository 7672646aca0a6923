// MappedFile: a regular file's bytes, mapped read-only and unmapped by its destructor.
//
// git replaces the files that we map (index, packs) by rename and never shortens them in place. Of
// a file that somebody else shortens, what is gone reads as zeros, and is_whole() tells.
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
  // Has the system map these bytes of a file now, for who is about to read them; until `enough`.
  static void map_ahead(Bytes bytes, const std::atomic<bool>& enough);

  enum class Order : uint8_t { kHereAndThere, kOnward };
  // How the file will be read; kOnward where nothing is said. Of a file that is read here and there
  // the system gets from the disk what is read, and not what lies around it, some megabytes.
  void expect(Order order) const;

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  Bytes bytes() const { return {data_, size_}; }
  // False: bytes were read that are not the file's.
  bool is_whole() const { return !guard_.was_cut(); }
  // By fstat of the very file that is mapped.
  const FileStat& stat() const { return stat_; }

 private:
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  FileStat stat_;
  MappingGuard guard_;
};

}  // namespace resident
