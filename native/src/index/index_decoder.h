// IndexDecoder: the bytes of an index file -> Index. One decoder decodes one file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "index/index.h"

namespace resident {

class DirectoryGrouper;

class IndexDecoder {
 public:
  IndexDecoder(Bytes file, std::string path, HashAlgorithm algorithm);

  Result<std::shared_ptr<const Index>> run(bool verify_checksum, const FileStat& stat);
  // The index of a repository in which nothing was ever added.
  static std::shared_ptr<const Index> empty(HashAlgorithm algorithm);

 private:
  // The first pass finds an entry's place, the second copies it there once all directories are
  // counted.
  struct Pending {
    uint32_t offset;  // in the file
    uint32_t directory;
    uint32_t name_offset;
    uint16_t name_length;
  };

  Result<uint32_t> read_header();
  Result<void> check_trailer(bool verify_checksum);
  Result<void> read_entries(uint32_t count);
  Result<void> read_entry(DirectoryGrouper& grouper);
  Result<void> check_mode(uint32_t mode) const;
  void place_entries();
  Result<void> read_extensions();
  Error fail(ErrorCode code, std::string_view reason, size_t offset) const;

  const Bytes file_;
  Bytes content_;  // file_ without the trailing checksum
  const std::string path_;
  const size_t hash_size_;
  size_t position_ = 0;
  std::vector<Pending> pending_;
  std::shared_ptr<Index> index_;
};

}  // namespace resident
