// A commit-graph or a multi-pack-index, or a chain of either, chosen by the first byte. Then eight
// bytes of a date, and the file. A chain has a byte with the number of files. Each file follows its
// length in two bytes. The text that names the files is extended by the rest. The target looks up
// every possible id of the input, and walks between some of them.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fs/linux/posix_file_system.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/scratch_directory.h"
#include "odb/ahead_behind.h"
#include "odb/commit_graph.h"
#include "odb/multi_pack_index.h"
#include "odb/multi_pack_index_chain.h"

namespace resident {
namespace {

constexpr size_t kAlignment = 4;  // alignment of ids in git's files
constexpr size_t kNear = 40;      // distance of ids that may belong to one commit
constexpr int kMaxLayers = 4;

std::vector<ObjectId> ids_in(std::string_view text) {
  std::vector<ObjectId> ids;
  const Bytes bytes = as_bytes(text);
  for (size_t at = 0; at + kSha1Size <= bytes.size(); at += kAlignment) {
    ids.push_back(ObjectId::from_bytes(bytes.subspan(at, kSha1Size)));
  }
  return ids;
}

// Supplies only the graph to a walk.
class GraphAlone final : public CommitReader {
 public:
  explicit GraphAlone(std::shared_ptr<const CommitGraph> graph) : graph_(std::move(graph)) {}
  Result<CommitInfo> read(const ObjectId& id) override {
    return Error{ErrorCode::kNotFound, id.hex()};
  }
  std::shared_ptr<const CommitGraph> graph() override { return graph_; }

 private:
  const std::shared_ptr<const CommitGraph> graph_;
};

// A walk in steps gives the same counts.
void check_walks(const std::shared_ptr<const CommitGraph>& graph, std::span<const ObjectId> ids) {
  GraphAlone reader(graph);
  for (size_t i = 1; i < ids.size(); ++i) {
    const ObjectId &one = ids[i], &two = ids[i / 2];
    const auto whole = AheadBehindWalk(reader, one, two).step({});
    if (!whole.ok()) continue;
    const AheadBehind counted = **whole;
    expect(counted.ahead >= 0 && counted.behind >= 0);
    expect(counted.ahead <= static_cast<int>(graph->count()));
    AheadBehindWalk walk(reader, one, two);
    std::optional<AheadBehind> in_steps;
    while (!in_steps) {
      const auto stepped = walk.step({.visits = 2});
      expect(stepped.ok());
      in_steps = *stepped;
    }
    expect(in_steps == counted);
  }
}

// Compares each commit as far as it agrees. The nearby ids serve as its tree and its parent.
void check_graph(const std::string& directory, const std::vector<ObjectId>& ids, uint64_t date) {
  const auto found = CommitGraph::find(posix_file_system(), {directory}, HashAlgorithm::kSha1,
                                       [](const std::string&) {});
  if (!found.graph) return expect(!found.problems.empty());
  constexpr size_t kMaxWalks = 200;
  check_walks(found.graph, std::span(ids).first(std::min(ids.size(), kMaxWalks)));
  for (size_t i = 0; i < ids.size(); ++i) {
    (void)found.graph->agrees(ids[i], {ids[0], {}, date});
    for (size_t tree = i; tree < std::min(i + kNear, ids.size()); ++tree) {
      (void)found.graph->agrees(ids[i], {ids[tree], {ids[i / 2]}, date});
    }
  }
}

void check_layer(const MultiPackIndex& index, const std::vector<ObjectId>& ids) {
  for (const ObjectId& id : ids) {
    const auto place = index.find(id);
    if (place.ok() && *place) expect((*place)->pack < index.packs().size());
  }
}

void check_packs(const std::string& directory, const std::vector<ObjectId>& ids) {
  const std::string path = directory + "/pack/multi-pack-index";
  const auto index = MultiPackIndex::open(path, HashAlgorithm::kSha1);
  if (!index.ok()) return;
  if (MultiPackIndex::open(path, HashAlgorithm::kSha1, 1).ok()) {
    expect(std::is_sorted((*index)->packs().begin(), (*index)->packs().end()));
  }
  check_layer(**index, ids);
}

void check_chain_of_packs(const std::string& directory, const std::vector<ObjectId>& ids) {
  const auto chain = MultiPackIndexChain::read(posix_file_system(), directory + "/pack",
                                               HashAlgorithm::kSha1, 2, [](const std::string&) {});
  expect(chain.layers.size() <= MultiPackIndexChain::kMaxLayers);
  for (const auto& layer : chain.layers) check_layer(*layer, ids);
}

// Writes the files of a chain from the input, in order. Each is named by its checksum, like git's.
// False: the text that names them is empty, as if the chain was missing.
bool write_chain(const ScratchDirectory& scratch, FuzzInput& input, const std::string& names,
                 const std::string& prefix, const std::string& suffix) {
  std::string text;
  for (int left = input.byte() % kMaxLayers + 1; left > 0; --left) {
    const size_t high = input.byte();
    const std::string_view file = input.take(high << 8 | input.byte());
    if (file.size() < kSha1Size) continue;
    const std::string name =
        ObjectId::from_bytes(as_bytes(file.substr(file.size() - kSha1Size))).hex();
    scratch.write(prefix + name + suffix, file);
    text += name + "\n";
  }
  scratch.write(names, text.append(input.rest()));
  return !text.empty();
}

const FuzzTarget aids_target("aids", [](Bytes bytes) {
  static const ScratchDirectory scratch;
  FuzzInput input(bytes);
  const uint8_t kind = input.byte();
  const bool is_graph = kind & 1, is_chain = kind & 2;
  uint64_t date = 0;
  for (int i = 0; i < 8; ++i) date = date << 8 | input.byte();
  const std::string directory = scratch.path("");
  for (const char* name : {"info", "pack"}) std::filesystem::remove_all(scratch.path(name));
  const std::vector<ObjectId> ids = ids_in(input.rest());
  if (is_graph) {
    std::filesystem::create_directories(directory + "/info/commit-graphs");
    if (!is_chain) {
      scratch.write("info/commit-graph", input.rest());
    } else if (!write_chain(scratch, input, "info/commit-graphs/commit-graph-chain",
                            "info/commit-graphs/graph-", ".graph")) {
      return;
    }
    if (!ids.empty()) check_graph(directory, ids, date);
    return;
  }
  std::filesystem::create_directories(directory + "/pack/multi-pack-index.d");
  if (is_chain) {
    write_chain(scratch, input, "pack/multi-pack-index.d/multi-pack-index-chain",
                "pack/multi-pack-index.d/multi-pack-index-", ".midx");
    check_chain_of_packs(directory, ids);
  } else {
    scratch.write("pack/multi-pack-index", input.rest());
    check_packs(directory, ids);
  }
});

}  // namespace
}  // namespace resident
