// Any bytes as an index file: an error or an index whose every look-up holds. The first byte
// chooses the hash; checksums are not compared, or nothing would get past them.
#include <cstdlib>

#include "index/index.h"

namespace {

void expect(bool condition) {
  if (!condition) std::abort();
}

void check(const resident::Index& index) {
  for (uint32_t d = 0; d < index.directories().size(); ++d) {
    expect(index.find_directory(index.directory_path(d)) == d);
    for (const resident::IndexEntry& entry : index.entries_of(d)) {
      expect(index.directory_of(index.position(entry)) == d);
      auto found = index.find_path(index.path(entry));
      expect(found && index.name(index.entries()[*found]) == index.name(entry));
      expect(index.id(entry).size() == hash_size(index.algorithm()));
    }
  }
  if (const resident::CacheTree* tree = index.cache_tree()) {
    for (const resident::CacheTree::Node& node : tree->nodes()) {
      if (node.valid()) expect(tree->id(node).size() == hash_size(index.algorithm()));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using resident::HashAlgorithm;
  if (size == 0) return 0;
  auto index =
      resident::Index::decode({data + 1, size - 1}, "index",
                              {data[0] % 2 ? HashAlgorithm::kSha256 : HashAlgorithm::kSha1, false});
  if (index.ok()) check(**index);
  return 0;
}
