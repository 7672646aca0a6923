// ReachabilityBitmaps: what commits reach, by the bitmaps that git has written beside a pack or a
// multi-pack-index.
//
// git uses one such file, and so do we: that of the first multi-pack-index that has one, else that
// of a pack. It covers the objects of its packs only. Every answer is the history as it is stored:
// not for shallow, grafted or replaced history.
//
// Threads: constant after find(), but for is_verified(), which any thread may set.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

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
  uint32_t size() const { return order_.count(); }
  // The object's bit; nullopt where it lies outside of the packs.
  Result<std::optional<uint32_t>> position_of(const ObjectId& id) const;
  // What the commit reaches, itself included; nullopt where it has no bitmap.
  Result<std::optional<BitSet>> reached_from(const ObjectId& id) const;
  Result<BitSet> commits() const { return file_.objects_of(ObjectType::kCommit); }
  // False: a file was shortened, and what was read may not be what it held.
  bool is_whole() const { return file_.is_whole() && order_.is_whole(); }

  const BitmapFile& file() const { return file_; }
  // Whether the file was compared with its checksum; nullopt: not yet.
  std::optional<bool> is_verified() const;
  void set_verified(bool is_sound) const { state_ = is_sound ? kSound : kDamaged; }

 private:
  enum State : uint8_t { kUnread, kSound, kDamaged };

  ReachabilityBitmaps(PackOrder order, BitmapFile file)
      : order_(std::move(order)), file_(std::move(file)) {}

  const PackOrder order_;
  const BitmapFile file_;
  mutable std::atomic<State> state_ = kUnread;
};

}  // namespace resident
