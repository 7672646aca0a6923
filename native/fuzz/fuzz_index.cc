// Any bytes as an index file: gives an error, or an index in which every lookup succeeds. The first
// byte chooses the hash. Checksums are not compared: a random input would never pass.
#include "fuzz/fuzz_target.h"
#include "index/index.h"

namespace resident {
namespace {

void check(const Index& index) {
  for (uint32_t d = 0; d < index.directories().size(); ++d) {
    expect(index.find_directory(index.directory_path(d)) == d);
    for (const IndexEntry& entry : index.entries_of(d)) {
      expect(index.directory_of(index.position(entry)) == d);
      auto found = index.find_path(index.path(entry));
      expect(found && index.name(index.entries()[*found]) == index.name(entry));
      expect(index.id(entry).size() == hash_size(index.algorithm()));
    }
  }
  for (uint32_t entry = 0; entry < index.entries().size(); ++entry) {
    expect(!index.is_fsmonitor_dirty(entry) || !index.fsmonitor_token().empty());
  }
  if (const CacheTree* tree = index.cache_tree()) {
    for (const CacheTree::Node& node : tree->nodes()) {
      if (node.valid()) expect(tree->id(node).size() == hash_size(index.algorithm()));
    }
  }
}

const FuzzTarget index_target("index", [](Bytes bytes) {
  if (bytes.empty()) return;
  const HashAlgorithm algorithm = bytes[0] % 2 ? HashAlgorithm::kSha256 : HashAlgorithm::kSha1;
  auto index = decode_index(bytes.subspan(1), "index", {algorithm, false});
  if (index.ok()) check(**index);
});

}  // namespace
}  // namespace resident
