#include "odb/commit_graph.h"

#include <algorithm>
#include <utility>

#include "odb/chunk_file.h"

namespace resident {
namespace {

constexpr uint32_t kCommitGraphSignature = 0x43475048;  // "CGPH"
constexpr size_t kHeaderSize = 8;
constexpr size_t kLeastChunks = 4;
constexpr size_t kChunkEntrySize = 12;

constexpr uint32_t kNoParent = 0x70000000;
constexpr uint32_t kMoreParents = 0x80000000;  // the rest are in a list at the low bits
constexpr uint32_t kLastParent = 0x80000000;   // end of the list
constexpr uint32_t kLargeDate = 0x80000000;
constexpr uint64_t kMaxLevel = 0x3fffffff;
constexpr uint64_t kDateMask = 0x3ffffffff;

// The smallest valid chunk of changed-path filters: only the settings.
constexpr size_t kFilterSettingsSize = 12;

}  // namespace

Result<CommitGraph::Layer> CommitGraph::open(const std::string& path, HashAlgorithm algorithm) {
  Layer layer;
  RESIDENT_TRY(layer.file, open_as_git_does(path));
  if (Result<void> checked = read(layer, algorithm); !checked.ok()) {
    return corrupt(path + ": " + checked.error().message);
  }
  return layer;
}

Result<void> CommitGraph::read(Layer& layer, HashAlgorithm algorithm) {
  const Bytes bytes = layer.file.bytes();
  const size_t id_size = hash_size(algorithm);
  if (bytes.size() < kHeaderSize + kLeastChunks * kChunkEntrySize + kFanoutSize + id_size) {
    return corrupt("too small");
  }
  if (load_be32(bytes.data()) != kCommitGraphSignature) return corrupt("no commit-graph");
  const uint8_t hash_version = algorithm == HashAlgorithm::kSha1 ? 1 : 2;
  if (bytes[4] != 1 || bytes[5] != hash_version) return corrupt("of another version");
  RESIDENT_TRY(const ChunkTable chunks, ChunkTable::read(bytes, kHeaderSize, bytes[6], algorithm));
  if (bytes.size() < kHeaderSize + (bytes[6] + 1U) * kChunkEntrySize + kFanoutSize + id_size) {
    return corrupt("too small for its chunks");
  }
  const auto fanout = chunks.find("OIDF");
  const auto ids = chunks.find("OIDL");
  const auto commits = chunks.find("CDAT");
  if (!fanout || !ids || !commits) return corrupt("a chunk is missing");
  layer.count = static_cast<uint32_t>(ids->size() / id_size);
  if (fanout->size() != kFanoutSize) return corrupt("its fan-out table has another size");
  if (!is_ordered_fanout(*fanout)) return corrupt("its fan-out table is out of order");
  if (load_be32(fanout->data() + 255 * 4) != layer.count) {
    return corrupt("its fan-out table counts other commits");
  }
  if (commits->size() / (id_size + 16) != layer.count) return corrupt("not as many commits as ids");
  layer.fanout = *fanout;
  layer.ids = *ids;
  layer.commits = *commits;
  layer.edges = chunks.find("EDGE").value_or(Bytes());
  layer.bases = chunks.find("BASE").value_or(Bytes());
  const auto dates = chunks.find("GDA2");
  layer.has_dates = dates.has_value();
  layer.dates = dates.value_or(Bytes());
  layer.large_dates = chunks.find("GDO2").value_or(Bytes());
  if (dates && dates->size() / 4 != layer.count) return corrupt("not as many dates as commits");
  const auto filters = chunks.find("BDAT");
  if (filters && filters->size() < kFilterSettingsSize) return corrupt("filters without settings");
  return {};
}

// Adds the next file of a chain. `chain` has the checksums.
Result<void> CommitGraph::add(Layer layer, const std::vector<ObjectId>& chain) {
  const size_t id_size = hash_size(algorithm_);
  if (layer.bases.size() < layers_.size() * id_size) return corrupt("does not name what is below");
  for (size_t i = 0; i < layers_.size(); ++i) {
    const bool is_named =
        ObjectId::from_bytes(layer.bases.subspan(i * id_size, id_size)) == chain[i];
    const bool is_there = ObjectId::from_bytes(layers_[i].file.bytes().last(id_size)) == chain[i];
    if (!is_named || !is_there) return corrupt("is not made for what is below");
  }
  if (layer.count > kNoParent - count_) return corrupt("more commits than can be numbered");
  layer.first = count_;
  count_ += layer.count;
  has_dates_ &= layer.has_dates;
  layers_.push_back(std::move(layer));
  return {};
}

std::shared_ptr<CommitGraph> CommitGraph::read_chain(
    FileSystem& fs, const std::string& directory, const std::vector<std::string>& directories,
    HashAlgorithm algorithm, const std::function<void(const std::string&)>& note,
    std::vector<Error>& problems) {
  const std::string path = directory + "/info/commit-graphs/commit-graph-chain";
  note(path);
  auto content = fs.read_file(path);
  const size_t hex_size = 2 * hash_size(algorithm);
  if (!content.ok() || content->empty()) return nullptr;
  if (content->size() <= hex_size) {
    problems.push_back(corrupt(path + ": too small"));
    return nullptr;
  }
  std::shared_ptr<CommitGraph> graph(new CommitGraph(algorithm));
  std::vector<ObjectId> chain;
  const auto fails = [&](const std::string& reason) {
    problems.push_back(corrupt(path + ": " + reason));
    return graph->layers_.empty() ? nullptr : graph;
  };
  const size_t count = content->size() / (hex_size + 1);
  std::string_view rest = *content;
  for (size_t i = 0; i < count && !rest.empty(); ++i) {
    const std::string line(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto id = ObjectId::from_hex(line);
    if (!id || id->algorithm() != algorithm) return fails("a line that is no hash");
    chain.push_back(*id);
    bool added = false;
    for (const std::string& place : directories) {
      const std::string file = place + "/info/commit-graphs/graph-" + line + ".graph";
      note(file);
      Result<Layer> layer = open(file, algorithm);
      if (!layer.ok()) {
        if (layer.error().code != ErrorCode::kNotFound) problems.push_back(layer.error());
        continue;
      }
      if (Result<void> fits = graph->add(std::move(layer).value(), chain); !fits.ok()) {
        return fails(file + " " + fits.error().message);
      }
      added = true;
      break;
    }
    if (!added) return fails("a file of it is missing");
  }
  return graph->layers_.empty() ? nullptr : graph;
}

CommitGraph::Found CommitGraph::find(FileSystem& fs, const std::vector<std::string>& directories,
                                     HashAlgorithm algorithm,
                                     const std::function<void(const std::string&)>& note) {
  Found found;
  for (const std::string& directory : directories) {
    const std::string path = directory + "/info/commit-graph";
    note(path);
    Result<Layer> layer = open(path, algorithm);
    std::shared_ptr<CommitGraph> graph;
    if (layer.ok()) {
      graph.reset(new CommitGraph(algorithm));
      (void)graph->add(std::move(layer).value(), {});
    } else {
      if (layer.error().code != ErrorCode::kNotFound) found.problems.push_back(layer.error());
      graph = read_chain(fs, directory, directories, algorithm, note, found.problems);
    }
    if (!graph) continue;
    found.graph = std::move(graph);
    break;
  }
  return found;
}

const CommitGraph::Layer& CommitGraph::layer_of(uint32_t position) const {
  auto layer = layers_.rbegin();
  while (layer->first > position) ++layer;
  return *layer;
}

const uint8_t* CommitGraph::record(uint32_t position) const {
  const Layer& layer = layer_of(position);
  return layer.commits.data() + (position - layer.first) * record_size();
}

ObjectId CommitGraph::id_at(uint32_t position) const {
  const Layer& layer = layer_of(position);
  const size_t size = hash_size(algorithm_);
  return ObjectId::from_bytes(layer.ids.subspan((position - layer.first) * size, size));
}

// A record has four 32-bit fields behind the tree. They are two parents, the level with the upper
// two bits of the date, and the rest of the date.
std::optional<CommitGraph::Generation> CommitGraph::generation_at(uint32_t position) const {
  const uint8_t* behind_tree = record(position) + hash_size(algorithm_);
  Generation generation;
  generation.level = load_be32(behind_tree + 8) >> 2;
  if (!has_dates_) return generation;
  const uint64_t date = load_be64(behind_tree + 8) & kDateMask;
  const Layer& layer = layer_of(position);
  const uint32_t offset = load_be32(layer.dates.data() + size_t{4} * (position - layer.first));
  if (!(offset & kLargeDate)) {
    generation.date = date + offset;
    return generation;
  }
  const uint64_t at = uint64_t{8} * (offset & ~kLargeDate);
  if (at + 8 > layer.large_dates.size()) return std::nullopt;
  generation.date = date + load_be64(layer.large_dates.data() + at);
  return generation;
}

Result<void> CommitGraph::read_parents(uint32_t position, std::vector<uint32_t>& parents) const {
  parents.clear();
  const Layer& layer = layer_of(position);
  const uint32_t end = layer.first + layer.count;
  const uint8_t* behind_tree = record(position) + hash_size(algorithm_);
  const uint32_t first = load_be32(behind_tree);
  const uint32_t second = load_be32(behind_tree + 4);
  if (first == kNoParent) return {};
  parents.push_back(first);
  if (second != kNoParent && !(second & kMoreParents)) parents.push_back(second);
  if (second != kNoParent && (second & kMoreParents)) {
    for (uint64_t at = uint64_t{4} * (second & ~kMoreParents);; at += 4) {
      if (at + 4 > layer.edges.size())
        return contradiction(position, "the list of parents has no end");
      const uint32_t edge = load_be32(layer.edges.data() + at);
      parents.push_back(edge & ~kLastParent);
      if (edge & kLastParent) break;
    }
  }
  const bool known =
      std::all_of(parents.begin(), parents.end(), [&](uint32_t parent) { return parent < end; });
  if (!known) return contradiction(position, "a parent is missing");
  return {};
}

Result<CommitGraph::Node> CommitGraph::node_at(uint32_t position) const {
  const auto generation = generation_at(position);
  if (!generation) return contradiction(position, "the generation is missing");
  const uint64_t date = load_be64(record(position) + hash_size(algorithm_) + 8) & kDateMask;
  return Node{date, generation->date.value_or(generation->level)};
}

uint64_t CommitGraph::most_parents() const {
  uint64_t most = uint64_t{2} * count_;
  for (const Layer& layer : layers_) most += layer.edges.size() / 4;
  return most;
}

bool CommitGraph::is_order(uint64_t child, uint64_t parent) const {
  if (parent < child) return true;
  return parent == child && !has_dates_ && (child == 0 || child == kMaxLevel);
}

bool CommitGraph::is_whole() const {
  return std::all_of(layers_.begin(), layers_.end(),
                     [](const Layer& layer) { return layer.file.is_whole(); });
}

Error CommitGraph::contradiction(uint32_t position, const std::string& what) const {
  return Error{ErrorCode::kUnsupported, "commit-graph: " + id_at(position).hex() + ": " + what};
}

Result<std::optional<uint32_t>> CommitGraph::find(const ObjectId& id) const {
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    const auto range = fanout_range(layer->fanout, id, layer->count);
    if (!range) {
      return Error{ErrorCode::kUnsupported,
                   "commit-graph: the fan-out table points outside the file"};
    }
    const auto number = find_id(layer->ids, *range, id);
    if (number) return std::optional(layer->first + *number);
  }
  return std::optional<uint32_t>();
}

bool CommitGraph::agrees(const ObjectId& id, const CommitHeader& commit) const {
  const auto found = find(id);
  if (!found.ok()) return false;
  const std::optional<uint32_t> position = *found;
  if (!position) return true;
  const uint8_t* const tree = record(*position);
  if (ObjectId::from_bytes({tree, hash_size(algorithm_)}) != commit.tree) return false;
  const uint64_t date = load_be64(tree + hash_size(algorithm_) + 8) & kDateMask;
  if (date != commit.committer_time) return false;
  const auto generation = generation_at(*position);
  std::vector<uint32_t> parents;
  if (!generation || !read_parents(*position, parents).ok()) return false;
  if (parents.size() != commit.parents.size()) return false;
  for (size_t i = 0; i < parents.size(); ++i) {
    if (id_at(parents[i]) != commit.parents[i]) return false;
    // Walks order by generation. A parent's generation must be smaller. Levels may be equal if they
    // were never computed or have reached their maximum.
    const auto below = generation_at(parents[i]);
    if (!below) return false;
    const bool level_holds = generation->level > below->level ||
                             (generation->level == below->level &&
                              (generation->level == 0 || generation->level == kMaxLevel));
    const bool date_holds = !generation->date || *generation->date > *below->date;
    if (!level_holds || !date_holds) return false;
  }
  return true;
}

}  // namespace resident
