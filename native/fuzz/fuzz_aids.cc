// A commit-graph or a multi-pack-index, whichever the first byte says. Then eight bytes of a date,
// and the file. It is asked about every id that the input may hold,
// and walked between some of these.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/scratch_directory.h"
#include "odb/ahead_behind.h"
#include "odb/commit_graph.h"
#include "odb/multi_pack_index.h"

namespace resident {
namespace {

constexpr size_t kIdSize = 20;
constexpr size_t kAlignment = 4;  // of ids in files that git writes
constexpr size_t kNear = 40;      // ids that may belong to the same commit

std::vector<ObjectId> ids_in(std::string_view text) {
  std::vector<ObjectId> ids;
  const Bytes bytes = as_bytes(text);
  for (size_t at = 0; at + kIdSize <= bytes.size(); at += kAlignment) {
    ids.push_back(ObjectId::from_bytes(bytes.subspan(at, kIdSize)));
  }
  return ids;
}

// All that a walk has.
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

// In steps the same is counted.
void check_walks(const std::shared_ptr<const CommitGraph>& graph, std::span<const ObjectId> ids) {
  GraphAlone reader(graph);
  for (size_t i = 1; i < ids.size(); ++i) {
    const ObjectId &one = ids[i], &two = ids[i / 2];
    const auto counted = count_ahead_behind(reader, one, two);
    if (!counted.ok()) continue;
    expect(counted->ahead >= 0 && counted->behind >= 0);
    expect(counted->ahead <= static_cast<int>(graph->count()));
    AheadBehindWalk walk(reader, one, two);
    std::optional<AheadBehind> in_steps;
    while (!in_steps) {
      const auto stepped = walk.step({.visits = 2});
      expect(stepped.ok());
      in_steps = *stepped;
    }
    expect(in_steps == *counted);
  }
}

// A commit is compared as far as it agrees; the ids around it are taken for its tree and parent.
void check_graph(const std::string& directory, const std::vector<ObjectId>& ids, uint64_t date) {
  const auto found =
      CommitGraph::find({directory}, HashAlgorithm::kSha1, [](const std::string&) {});
  if (!found.graph) return expect(!found.problems.empty());
  constexpr size_t kMostWalks = 200;
  check_walks(found.graph, std::span(ids).first(std::min(ids.size(), kMostWalks)));
  for (size_t i = 0; i < ids.size(); ++i) {
    (void)found.graph->agrees(ids[i], {ids[0], {}, date});
    for (size_t tree = i; tree < std::min(i + kNear, ids.size()); ++tree) {
      (void)found.graph->agrees(ids[i], {ids[tree], {ids[i / 2]}, date});
    }
  }
}

void check_packs(const std::string& directory, const std::vector<ObjectId>& ids) {
  const std::string path = directory + "/pack/multi-pack-index";
  const auto index = MultiPackIndex::open(path, HashAlgorithm::kSha1);
  if (!index.ok()) return;
  const auto& packs = (*index)->packs();
  if (MultiPackIndex::open(path, HashAlgorithm::kSha1, 1).ok()) {
    expect(std::is_sorted(packs.begin(), packs.end()));
  }
  for (const ObjectId& id : ids) {
    const auto place = (*index)->find(id);
    if (place.ok() && *place) expect((*place)->pack < packs.size());
  }
}

const FuzzTarget target("aids", [](Bytes bytes) {
  static const ScratchDirectory scratch;
  FuzzInput input(bytes);
  const bool is_graph = input.byte() & 1;
  uint64_t date = 0;
  for (int i = 0; i < 8; ++i) date = date << 8 | input.byte();
  const std::string directory = scratch.path("");
  std::filesystem::create_directories(directory + "/info");
  std::filesystem::create_directories(directory + "/pack");
  scratch.write(is_graph ? "info/commit-graph" : "pack/multi-pack-index", input.rest());
  const std::vector<ObjectId> ids = ids_in(input.rest());
  if (is_graph && !ids.empty()) check_graph(directory, ids, date);
  if (!is_graph) check_packs(directory, ids);
});

}  // namespace
}  // namespace resident
