// ReachabilityBitmaps: what commits reach, by the bitmaps that git has written beside a pack or a
// multi-pack-index.
//
// git uses one such file, and so do we: that of the first multi-pack-index that has one, else that
// of a pack. It covers the objects of its packs only. In a chain of multi-pack-indexes each layer
// has a file, whose bits begin with those of the layers below, so that it is used where all of
// these have one. Every answer is the history as it is stored: not for shallow, grafted or replaced
// history.
//
// Threads: constant after find(), but for is_verified(), which a Verification on any thread sets.
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
  // Null where there is none that can be used: one that is damaged counts as none.
  static std::shared_ptr<const ReachabilityBitmaps> find(const ObjectStores& stores,
                                                         HashAlgorithm algorithm);

  // How many bits each bitmap has.
  uint32_t size() const { return layers_.front().objects.all(); }
  // The object's bit; nullopt where it lies outside of the packs.
  Result<std::optional<uint32_t>> position_of(const ObjectId& id) const;
  // What the commit reaches, itself included; nullopt where it has no bitmap.
  Result<std::optional<BitSet>> reached_from(const ObjectId& id) const;
  Result<BitSet> commits() const;
  // False: a file was shortened, and what was read may not be what it held.
  bool is_whole() const;

  // Compares the files with their checksums, some bytes at a time, and keeps what came of it.
  class Verification {
   public:
    // `bitmaps` must outlive it.
    explicit Verification(const ReachabilityBitmaps& bitmaps);
    // False: there is more to read. kCorrupt where a file is another one than was written.
    Result<bool> step(size_t bytes);

   private:
    const ReachabilityBitmaps& bitmaps_;
    std::vector<BitmapFile::Verification> files_;
  };
  // Whether the files were compared with their checksums; nullopt: not yet.
  std::optional<bool> is_verified() const;

 private:
  enum State : uint8_t { kUnread, kSound, kDamaged };

  // A pack, a multi-pack-index, or one of a chain.
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
  // The uppermost layer that has the object, and the object's number in its index.
  struct Place {
    const Layer& layer;
    uint32_t number;
  };
  Result<std::optional<Place>> place_of(const ObjectId& id) const;

  const std::vector<Layer> layers_;  // one at least; the uppermost first
  mutable std::atomic<State> state_ = kUnread;
};

}  // namespace resident
