#include "odb/reachability_bitmaps.h"

#include <string>
#include <utility>

namespace resident {

std::shared_ptr<const ReachabilityBitmaps> ReachabilityBitmaps::find(const ObjectStores& stores,
                                                                     HashAlgorithm algorithm) {
  const auto open = [&](const auto& index, const std::string& base_path, uint32_t objects,
                        Bytes checksum) -> std::shared_ptr<const ReachabilityBitmaps> {
    Result<BitmapFile> file = BitmapFile::open(base_path + ".bitmap", objects, checksum, algorithm);
    if (!file.ok()) return nullptr;
    Result<PackOrder> order = PackOrder::of(index, base_path + ".rev", algorithm);
    if (!order.ok()) return nullptr;
    return std::shared_ptr<const ReachabilityBitmaps>(
        new ReachabilityBitmaps(std::move(order).value(), std::move(file).value()));
  };
  for (const ObjectStores::Covering& covering : stores.coverings) {
    const Bytes checksum = covering.index->checksum();
    const std::string base_path =
        covering.index->path() + "-" + ObjectId::from_bytes(checksum).hex();
    if (auto found = open(covering.index, base_path, covering.index->count(), checksum)) {
      return found;
    }
  }
  for (const ObjectStores::OpenPack& pack : stores.packs) {
    const PackIndex& index = pack.pack->index();
    const std::shared_ptr<const Pack> held = pack.pack;
    if (auto found = open(held, pack.base_path, index.count(), index.pack_checksum())) {
      return found;
    }
  }
  return nullptr;
}

Result<std::optional<uint32_t>> ReachabilityBitmaps::position_of(const ObjectId& id) const {
  RESIDENT_TRY(const std::optional<uint32_t> number, order_.find(id));
  if (!number) return std::optional<uint32_t>();
  RESIDENT_TRY(const uint32_t position, order_.position_of(*number));
  return std::optional(position);
}

Result<std::optional<BitSet>> ReachabilityBitmaps::reached_from(const ObjectId& id) const {
  RESIDENT_TRY(const std::optional<uint32_t> number, order_.find(id));
  if (!number) return std::optional<BitSet>();
  return file_.reached_from(*number);
}

std::optional<bool> ReachabilityBitmaps::is_verified() const {
  const State state = state_;
  return state == kUnread ? std::nullopt : std::optional(state == kSound);
}

}  // namespace resident
