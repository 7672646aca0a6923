// BitmapFile: a mapped .bitmap file of a pack or of a multi-pack-index. For some commits it has a
// bitmap of all objects that the commit reaches. For each object type it has a bitmap of the
// objects of that type.
//
// Layout:
// - "BITM", version 1, flags, the number of commits with a bitmap, and the checksum of the pack or
//   multi-pack-index.
// - Four bitmaps, one for each type.
// - An entry for each commit: its number in the index, the XOR distance, flags and its bitmap (see
//   ewah_bitmap.h). The distance says how many entries earlier its XOR base is; 0: no base.
// - Depending on the flags: pseudo-merges, a lookup table, a hash of each object's name.
// - A checksum.
//
// A row of the lookup table has a commit's number, its entry's offset and the row of its XOR base.
// The rows are sorted by number. In a chain of multi-pack-indexes, numbers and bits start after
// those of the lower layers. The bitmaps of types have no bits for the lower layers. Source: git's
// Documentation/technical/bitmap-format.
//
// Bitmaps are unpacked on demand. An entry is found by the lookup table. Without a table, open()
// reads the headers of all entries once. Name hashes and pseudo-merges are skipped: the bitmaps of
// commits do not depend on them.
//
// git status never reads this file and does not notice damage in it. Verify the whole file once
// with Verification before an answer relies on it.
//
// Threads: constant after open().
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/mapped_file.h"
#include "hash/hasher.h"
#include "object/object_type.h"
#include "odb/bit_set.h"
#include "odb/ewah_bitmap.h"

namespace resident {

class BitmapFile {
 public:
  // Numbers of the objects that have bits.
  struct Objects {
    uint32_t own = 0;    // in this pack or multi-pack-index
    uint32_t below = 0;  // in the lower layers; own + below < 2^32
    uint32_t all() const { return below + own; }
  };

  // `checksum` is the checksum of the pack or multi-pack-index. kNotFound: the file is missing.
  // kUnsupported: unknown version or flags. kCorrupt: any other problem.
  static Result<BitmapFile> open(const std::string& path, Objects objects, Bytes checksum,
                                 HashAlgorithm algorithm);

  uint32_t entry_count() const { return entry_count_; }
  // The objects that commit `number` reaches, itself included. nullopt: it has no bitmap. kCorrupt:
  // its entry or an entry of its XOR chain is invalid.
  Result<std::optional<BitSet>> reached_from(uint32_t number) const;
  // All objects of that type.
  Result<BitSet> objects_of(ObjectType type) const;
  bool is_whole() const { return file_.is_whole(); }

  // Verifies the checksum at the end of the file, in steps.
  class Verification {
   public:
    // `file` must outlive it.
    explicit Verification(const BitmapFile& file);
    // Reads the next `bytes` bytes. False: more remains to be read. kCorrupt: the checksum is
    // wrong.
    Result<bool> step(size_t bytes);

   private:
    const BitmapFile& file_;
    Hasher hasher_;
    size_t read_ = 0;
  };

 private:
  struct Entry {
    uint32_t number = 0;
    uint64_t offset = 0;  // file offset
    uint32_t base = 0;    // row of the XOR base, or kNoBase
    friend bool operator<(const Entry& a, const Entry& b) { return a.number < b.number; }
  };
  static constexpr uint32_t kNoBase = 0xffffffff;

  BitmapFile(std::string path, MappedFile file, Objects objects, HashAlgorithm algorithm)
      : path_(std::move(path)), file_(std::move(file)), objects_(objects), algorithm_(algorithm) {}
  Result<void> read(Bytes checksum);
  Result<void> read_end(uint16_t flags);
  Result<void> read_entries(ByteReader& reader);
  std::optional<uint32_t> find(uint32_t number) const;  // row
  Entry entry(uint32_t row) const;
  Result<EwahBitmap> bitmap_at(const Entry& entry) const;
  Error error(const std::string& reason) const { return corrupt(path_ + ": " + reason); }

  std::string path_;
  MappedFile file_;
  Objects objects_;
  HashAlgorithm algorithm_;
  uint32_t entry_count_ = 0;
  std::array<EwahBitmap, 4> types_;
  Bytes body_;                  // the file without its checksum and optional parts
  uint64_t first_entry_ = 0;    // file offset
  Bytes table_;                 // the lookup table; if empty, entries_ is used
  std::vector<Entry> entries_;  // sorted by number
};

}  // namespace resident
