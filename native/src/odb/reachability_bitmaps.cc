#include "odb/reachability_bitmaps.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace resident {

// `chain` is the uppermost layer and all layers below it.
Result<std::vector<ReachabilityBitmaps::Layer>> ReachabilityBitmaps::open_chain(
    std::span<const ObjectStores::Covering> chain, HashAlgorithm algorithm) {
  constexpr std::string_view kLayerSuffix = ".midx";
  std::vector<Layer> layers;
  uint32_t below = 0;
  for (size_t i = chain.size(); i-- > 0;) {
    const std::shared_ptr<const MultiPackIndex>& index = chain[i].index;
    const BitmapFile::Objects objects = {.own = index->count(), .below = below};
    const Bytes checksum = index->checksum();
    // The file name of a layer already has the checksum.
    std::string base_path = index->path();
    if (base_path.ends_with(kLayerSuffix)) {
      base_path.resize(base_path.size() - kLayerSuffix.size());
    } else {
      base_path += "-" + ObjectId::from_bytes(checksum).hex();
    }
    RESIDENT_TRY(BitmapFile file,
                 BitmapFile::open(base_path + ".bitmap", objects, checksum, algorithm));
    RESIDENT_TRY(PackOrder order, PackOrder::of(index, base_path + ".rev", algorithm, below));
    layers.push_back({objects, std::move(order), std::move(file)});
    below = objects.all();
  }
  std::reverse(layers.begin(), layers.end());
  return layers;
}

Result<std::vector<ReachabilityBitmaps::Layer>> ReachabilityBitmaps::open_pack(
    const ObjectStores::OpenPack& pack, HashAlgorithm algorithm) {
  const PackIndex& index = pack.pack->index();
  const BitmapFile::Objects objects = {.own = index.count()};
  RESIDENT_TRY(BitmapFile file, BitmapFile::open(pack.base_path + ".bitmap", objects,
                                                 index.pack_checksum(), algorithm));
  RESIDENT_TRY(PackOrder order, PackOrder::of(pack.pack, pack.base_path + ".rev", algorithm));
  std::vector<Layer> layers;
  layers.push_back({objects, std::move(order), std::move(file)});
  return layers;
}

std::shared_ptr<const ReachabilityBitmaps> ReachabilityBitmaps::find(const ObjectStores& stores,
                                                                     HashAlgorithm algorithm) {
  const auto made_of = [](Result<std::vector<Layer>> layers) {
    return std::shared_ptr<const ReachabilityBitmaps>(
        layers.ok() ? new ReachabilityBitmaps(std::move(layers).value()) : nullptr);
  };
  const std::span coverings(stores.coverings);
  for (size_t i = 0; i < coverings.size(); ++i) {
    const auto chain = coverings.subspan(i, 1 + coverings[i].layers_below);
    if (auto found = made_of(open_chain(chain, algorithm))) return found;
  }
  for (const ObjectStores::OpenPack& pack : stores.packs) {
    if (auto found = made_of(open_pack(pack, algorithm))) return found;
  }
  return nullptr;
}

Result<std::optional<ReachabilityBitmaps::Place>> ReachabilityBitmaps::place_of(
    const ObjectId& id) const {
  for (const Layer& layer : layers_) {
    RESIDENT_TRY(const std::optional<uint32_t> number, layer.order.find(id));
    if (number) return std::optional<Place>({layer, *number});
  }
  return std::optional<Place>();
}

Result<std::optional<uint32_t>> ReachabilityBitmaps::position_of(const ObjectId& id) const {
  RESIDENT_TRY(const std::optional<Place> found, place_of(id));
  if (!found) return std::optional<uint32_t>();
  const auto& [layer, number] = *found;
  RESIDENT_TRY(const uint32_t position, layer.order.position_of(number));
  return std::optional(layer.objects.below + position);
}

Result<std::optional<BitSet>> ReachabilityBitmaps::reached_from(const ObjectId& id) const {
  RESIDENT_TRY(const std::optional<Place> found, place_of(id));
  if (!found) return std::optional<BitSet>();
  const auto& [layer, number] = *found;
  RESIDENT_TRY(std::optional<BitSet> reached,
               layer.file.reached_from(layer.objects.below + number));
  if (reached) reached->grow(size());
  return reached;
}

Result<BitSet> ReachabilityBitmaps::commits() const {
  BitSet all(size());
  for (const Layer& layer : layers_) {
    RESIDENT_TRY(BitSet commits, layer.file.objects_of(ObjectType::kCommit));
    commits.grow(size());
    all |= commits;
  }
  return all;
}

bool ReachabilityBitmaps::is_whole() const {
  return std::all_of(layers_.begin(), layers_.end(), [](const Layer& layer) {
    return layer.file.is_whole() && layer.order.is_whole();
  });
}

ReachabilityBitmaps::Verification::Verification(const ReachabilityBitmaps& bitmaps)
    : bitmaps_(bitmaps) {
  for (const Layer& layer : bitmaps.layers_) files_.emplace_back(layer.file);
}

Result<bool> ReachabilityBitmaps::Verification::step(size_t bytes) {
  const Result<bool> is_read = files_.back().step(bytes);
  if (!is_read.ok()) bitmaps_.state_ = kDamaged;
  if (!is_read.ok() || !*is_read) return is_read;
  files_.pop_back();
  if (files_.empty()) bitmaps_.state_ = kSound;
  return files_.empty();
}

std::optional<bool> ReachabilityBitmaps::is_verified() const {
  const State state = state_;
  return state == kUnread ? std::nullopt : std::optional(state == kSound);
}

}  // namespace resident
