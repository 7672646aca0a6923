// ReachabilityBitmaps: finds the objects that a commit reaches. It uses git's bitmaps of a pack or
// a multi-pack-index.
//
// Like in git, only one bitmap file is used. It belongs to the first multi-pack-index that has one,
// else to a pack. It covers only the objects of its packs. In a chain of multi-pack-indexes each
// layer has its own file, whose bits start after those of the lower layers. A chain is used only if
// all its layers have a file. Bitmaps describe the stored history: do not use them for shallow,
// grafted or replaced history.
//
// Threads: constant after find(), except is_verified(). A Verification on any thread sets it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "odb/bitmap_file.h"
#include "odb/object_stores.h"
#include "odb/pack_order.h"

namespace resident {

class ReachabilityBitmaps {
 public:
  // Null: no usable bitmaps. Damaged bitmaps are skipped.
  static std::shared_ptr<const ReachabilityBitmaps> find(const ObjectStores& stores,
                                                         HashAlgorithm algorithm);

  // Number of bits of each bitmap.
  uint32_t size() const { return layers_.front().objects.all(); }
  // The object's bit. nullopt: the object is not in the packs.
  Result<std::optional<uint32_t>> position_of(const ObjectId& id) const;
  // The objects that the commit reaches, itself included. nullopt: it has no bitmap.
  Result<std::optional<BitSet>> reached_from(const ObjectId& id) const;
  Result<BitSet> commits() const;
  // False: a file was truncated while mapped. Data read from it may be wrong.
  bool is_whole() const;

  // Verifies the checksums of the files, in steps, and stores the result for is_verified().
  class Verification {
   public:
    // `bitmaps` must outlive it.
    explicit Verification(const ReachabilityBitmaps& bitmaps);
    // Reads the next `bytes` bytes. False: more remains to be read. kCorrupt: a checksum is wrong.
    Result<bool> step(size_t bytes);

   private:
    const ReachabilityBitmaps& bitmaps_;
    std::vector<BitmapFile::Verification> files_;
  };
  // True if all checksums are right. nullopt: not verified yet.
  std::optional<bool> is_verified() const;

 private:
  enum State : uint8_t { kUnread, kSound, kDamaged };

  // A pack, a multi-pack-index, or a layer of a chain.
  struct Layer {
    BitmapFile::Objects objects;
    PackOrder order;
    BitmapFile file;
  };

  explicit ReachabilityBitmaps(std::vector<Layer> layers) : layers_(std::move(layers)) {}
  static Result<std::vector<Layer>> open_chain(std::span<const ObjectStores::Covering> chain,
                                               HashAlgorithm algorithm);
  static Result<std::vector<Layer>> open_pack(const ObjectStores::OpenPack& pack,
                                              HashAlgorithm algorithm);
  // The object's place: the uppermost layer that has it, and its number in that layer's index.
  struct Place {
    const Layer& layer;
    uint32_t number;
  };
  Result<std::optional<Place>> place_of(const ObjectId& id) const;

  const std::vector<Layer> layers_;  // at least one; uppermost first
  mutable std::atomic<State> state_ = kUnread;
};

}  // namespace resident
