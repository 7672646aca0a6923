#include "odb/abbreviation.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace resident {

namespace {

constexpr size_t kShortest = 7;

// git compares at most this many common digits, for either hash.
constexpr size_t kLongestCommonPrefix = 31;

// With 2^n objects a collision is likely at n / 2 hex digits or less. git rounds up.
size_t length_for(uint64_t objects) {
  const size_t bits = objects ? static_cast<size_t>(std::bit_width(objects)) : 1;
  return std::max((bits + 1) / 2, kShortest);
}

Result<size_t> automatic_length(FileSystem& fs, const ObjectDatabase::Places& places) {
  uint64_t all = 0;
  uint64_t largest = 0;
  for (const auto& pack : places.packs) {
    all += pack->index().count();
    largest = std::max<uint64_t>(largest, pack->index().count());
  }
  for (const std::string& directory : places.directories) {
    const bool has_multi_pack_index = fs.lstat(directory + "/pack/multi-pack-index").ok() ||
                                      fs.lstat(directory + "/pack/multi-pack-index.d").ok();
    if (has_multi_pack_index && length_for(largest) != length_for(2 * all)) {
      return Error{ErrorCode::kUnsupported,
                   directory + ": the number of objects decides the length of abbreviated ids"};
    }
  }
  return length_for(all);
}

size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

class Neighbours {
 public:
  Neighbours(FileSystem& fs, const ObjectId& id) : fs_(fs), id_(id), hex_(id.hex()) {}

  // The longest prefix that `id` shares with another object, within git's limit.
  size_t longest_common_prefix(const ObjectDatabase::Places& places) {
    for (const auto& pack : places.packs) search_index(pack->index());
    for (const std::string& directory : places.directories) {
      search_loose(directory + "/" + hex_.substr(0, 2));
    }
    return longest_;
  }

 private:
  void meet(std::string_view other) {
    const size_t common = common_prefix(hex_, other);
    if (common <= kLongestCommonPrefix) longest_ = std::max(longest_, common);
  }

  void search_index(const PackIndex& index) {
    const uint32_t at = index.lower_bound(id_);
    if (at > 0) meet(index.id(at - 1).hex());
    for (uint32_t i = at; i < index.count() && i < at + 2; ++i) meet(index.id(i).hex());
  }

  void search_loose(const std::string& path) {
    DirectoryListing listing;
    Result<Directory> directory = fs_.open_directory(path);
    if (!directory.ok() || !fs_.list(*directory, listing).ok()) return;
    for (size_t i = 0; i < listing.size(); ++i) {
      const std::string other = hex_.substr(0, 2) + std::string(listing[i].name);
      if (ObjectId::from_hex(other)) meet(other);
    }
  }

  FileSystem& fs_;
  const ObjectId id_;
  const std::string hex_;
  size_t longest_ = 0;
};

}  // namespace

Result<std::string> abbreviate(ObjectDatabase& objects, const ObjectId& id,
                               std::optional<int> length) {
  if (id.algorithm() != objects.algorithm()) return id.hex();
  objects.refresh();
  const ObjectDatabase::Places places = objects.places();
  if (places.covers_absent_packs) {
    return Error{ErrorCode::kUnsupported,
                 places.directories[0] + ": a multi-pack-index names missing packs"};
  }
  size_t shortest = static_cast<size_t>(length.value_or(0));
  if (!length) {
    RESIDENT_TRY(shortest, automatic_length(objects.fs(), places));
  }
  const std::string hex = id.hex();
  if (shortest >= hex.size()) return hex;
  const size_t common = Neighbours(objects.fs(), id).longest_common_prefix(places);
  return hex.substr(0, std::max(shortest, common + 1));
}

}  // namespace resident
