// BitmapFile: a mapped .bitmap file: for some commits of a pack, or of a multi-pack-index, a bit
// for each object that the commit reaches, and for each type of object a bit for each of that type.
//
// Stored: "BITM", version 1, flags, how many commits have a bitmap, the checksum of the pack or
// multi-pack-index; four bitmaps of types; for each commit its number in the index, how many
// entries before it the one is that it was compressed against by XOR (0: none), flags and its
// bitmap (see ewah_bitmap.h). Of a multi-pack-index in a chain, numbers and bits begin with those
// of the layers below it; the bitmaps of types have no bits of these. At the end, by flags:
// pseudo-merges, a table of the entries (number, place in the file, row of the one that it was
// compressed against; sorted by number), a hash of each object's name, and a checksum. Source:
// git's Documentation/technical/bitmap-format.
//
// Nothing is unpacked but what is asked for. With a table one entry is found by it; without one the
// heads of all entries are read once. Names' hashes are for writers, pseudo-merges for walks from
// many tips at once: the commits' own bitmaps do not depend on either, and both are read over.
//
// git status never reads this file, so a damaged one goes unnoticed there. Before an answer relies
// on it, a Verification has to have read all of it once.
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
  // The objects that it has bits for.
  struct Objects {
    uint32_t own = 0;    // of the pack or multi-pack-index
    uint32_t below = 0;  // of the layers below; both together are below 2^32
    uint32_t all() const { return below + own; }
  };

  // `checksum` is that of the pack or multi-pack-index. kNotFound
  // where there is no such file; kUnsupported for flags and versions that are not known; else
  // kCorrupt.
  static Result<BitmapFile> open(const std::string& path, Objects objects, Bytes checksum,
                                 HashAlgorithm algorithm);

  uint32_t entry_count() const { return entry_count_; }
  // What that commit reaches, itself included; nullopt where it has no bitmap. kCorrupt where what
  // it was compressed against cannot be.
  Result<std::optional<BitSet>> reached_from(uint32_t number) const;
  // The objects of that type.
  Result<BitSet> objects_of(ObjectType type) const;
  bool is_whole() const { return file_.is_whole(); }

  // Compares the file with the checksum at its end, some bytes at a time.
  class Verification {
   public:
    // `file` must outlive it.
    explicit Verification(const BitmapFile& file);
    // False: there is more to read. kCorrupt where the file is another one than was written.
    Result<bool> step(size_t bytes);

   private:
    const BitmapFile& file_;
    Hasher hasher_;
    size_t read_ = 0;
  };

 private:
  struct Entry {
    uint32_t number = 0;
    uint64_t offset = 0;  // in the file
    uint32_t base = 0;    // kNoBase; else, of what it was compressed against, the row
    friend bool operator<(const Entry& a, const Entry& b) { return a.number < b.number; }
  };
  static constexpr uint32_t kNoBase = 0xffffffff;

  BitmapFile(std::string path, MappedFile file, Objects objects, HashAlgorithm algorithm)
      : path_(std::move(path)), file_(std::move(file)), objects_(objects), algorithm_(algorithm) {}
  Result<void> read(Bytes checksum);
  Result<void> read_end(uint16_t flags);
  Result<void> read_entries(ByteReader& reader);
  std::optional<uint32_t> find(uint32_t number) const;  // its row
  Entry entry(uint32_t row) const;
  Result<EwahBitmap> bitmap_at(const Entry& entry) const;
  Error error(const std::string& reason) const { return corrupt(path_ + ": " + reason); }

  std::string path_;
  MappedFile file_;
  Objects objects_;
  HashAlgorithm algorithm_;
  uint32_t entry_count_ = 0;
  std::array<EwahBitmap, 4> types_;
  Bytes body_;                  // without what is at the end
  uint64_t first_entry_ = 0;    // its offset
  Bytes table_;                 // of the entries; or:
  std::vector<Entry> entries_;  // sorted by number
};

}  // namespace resident
