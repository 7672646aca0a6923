// "<flags> <content>": a tree, a commit or a tag of either hash. All views from a tree's entries
// lie within the tree.
#include "fuzz/fuzz_target.h"
#include "object/commit.h"
#include "object/tree.h"

namespace resident {
namespace {

void check_tree(std::string_view content, HashAlgorithm algorithm) {
  TreeIterator entries(content, algorithm);
  size_t used = 0;
  for (;;) {
    Result<bool> more = entries.next();
    if (!more.ok()) return;
    if (!*more) break;
    const TreeEntry& entry = entries.entry();
    expect(!entry.name.empty());
    expect(entry.name.data() > content.data() &&
           entry.name.data() + entry.name.size() < content.data() + content.size());
    expect(canonical_mode(entry.mode) == entry.mode);
    expect(entry.id.size() == hash_size(algorithm));
    used += entry.name.size() + entry.id.size();
  }
  expect(used <= content.size());
}

const FuzzTarget object_target("object", [](Bytes bytes) {
  FuzzInput input(bytes);
  const uint8_t flags = input.byte();
  const HashAlgorithm algorithm = flags & 1 ? HashAlgorithm::kSha256 : HashAlgorithm::kSha1;
  const std::string_view content = input.rest();
  if (flags & 2) {
    auto commit = parse_commit(content, algorithm);
    if (commit.ok()) expect(commit->tree.size() == hash_size(algorithm));
  } else if (flags & 4) {
    (void)parse_tag(content, algorithm);
  } else {
    check_tree(content, algorithm);
  }
});

}  // namespace
}  // namespace resident
