#include "odb/object_stores.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "odb/alternates.h"
#include "odb/multi_pack_index_chain.h"

namespace resident {
namespace {

constexpr std::string_view kIndexSuffix = ".idx";

// The stat that shows whether a directory or file has changed. nullopt: it does not exist.
std::optional<FileStat> stat_of(FileSystem& fs, const std::string& path) {
  auto stat = fs.stat(path);
  if (!stat.ok()) return std::nullopt;
  return *stat;
}

// Open packs by their path without ".pack".
using OpenPacks = std::unordered_map<std::string, std::shared_ptr<Pack>>;

// Adds the packs of one object directory. Packs in `open_packs` are reused.
void list_packs(FileSystem& fs, const std::string& pack_dir, HashAlgorithm algorithm,
                const OpenPacks& open_packs, ObjectStores& out) {
  auto directory = fs.open_directory(pack_dir);
  DirectoryListing listing;
  auto listed = directory.ok() ? fs.list(*directory, listing) : Result<void>(directory.error());
  if (!listed.ok()) {
    if (listed.error().code != ErrorCode::kNotFound) {
      out.problems.push_back({listed.error().code, pack_dir + ": " + listed.error().message});
    }
    return;
  }

  std::vector<std::string_view> names;
  for (size_t i = 0; i < listing.size(); ++i) names.push_back(listing[i].name);
  std::sort(names.begin(), names.end());
  for (std::string_view name : names) {
    if (!name.ends_with(kIndexSuffix)) continue;
    const std::string stem(name.substr(0, name.size() - kIndexSuffix.size()));
    // Skip an index whose pack is missing or not written yet.
    if (!std::binary_search(names.begin(), names.end(), std::string_view(stem + ".pack"))) continue;

    ObjectStores::OpenPack found{pack_dir + "/" + stem, nullptr, false};
    if (auto same = open_packs.find(found.base_path);
        same != open_packs.end() && same->second->is_current(fs)) {
      found.pack = same->second;
    } else {
      auto pack = Pack::open(found.base_path, algorithm);
      if (!pack.ok()) {
        // kNotFound: a repack has removed the pack since the listing.
        if (pack.error().code != ErrorCode::kNotFound) out.problems.push_back(pack.error());
        continue;
      }
      found.pack = std::move(*pack);
    }
    out.packs.push_back(std::move(found));
  }
}

using Note = std::function<void(const std::string&)>;

// Opens the multi-pack-index of a directory, or its chain with the uppermost layer first. git
// searches objects in this order. The packs must be listed before.
void open_multi_pack_indexes(const ObjectStores::Sources& sources, const std::string& pack_dir,
                             const Note& note, ObjectStores& out) {
  const HashAlgorithm algorithm = sources.algorithm;
  const ObjectAids& aids = sources.aids;
  const int newest_version = aids.multi_pack_index_version_2 ? MultiPackIndex::kNewestVersion : 1;
  std::vector<std::shared_ptr<const MultiPackIndex>> indexes;
  auto index = MultiPackIndex::open(pack_dir + "/multi-pack-index", algorithm, newest_version);
  if (index.ok()) {
    indexes.push_back(std::move(index).value());
  } else if (index.error().code != ErrorCode::kNotFound) {
    out.problems.push_back(index.error());
  } else if (aids.multi_pack_index_chain) {
    auto chain = MultiPackIndexChain::read(sources.fs, pack_dir, algorithm, newest_version, note);
    if (chain.problem) out.problems.push_back(*std::move(chain.problem));
    indexes = std::move(chain.layers);
  }
  if (indexes.empty()) return;
  std::unordered_map<std::string_view, ObjectStores::OpenPack*> by_path;
  for (ObjectStores::OpenPack& open : out.packs) by_path.emplace(open.base_path, &open);
  size_t layers_below = indexes.size();
  for (auto& layer : indexes) {
    ObjectStores::Covering covering{std::move(layer), {}, --layers_below};
    for (std::string_view name : covering.index->packs()) {
      name.remove_suffix(kIndexSuffix.size());
      const auto open = by_path.find(pack_dir + "/" + std::string(name));
      covering.packs.push_back(open == by_path.end() ? nullptr : open->second->pack.get());
      if (open != by_path.end()) open->second->covered = true;
    }
    out.coverings.push_back(std::move(covering));
  }
}

}  // namespace

std::shared_ptr<const ObjectStores> ObjectStores::list(const Sources& sources,
                                                       const ObjectStores* previous) {
  OpenPacks open_packs;
  if (previous) {
    for (const OpenPack& open : previous->packs) open_packs.emplace(open.base_path, open.pack);
  }
  auto found = std::make_shared<ObjectStores>();
  // Taken before the listing: changes during the listing then count as later changes.
  FileSystem& fs = sources.fs;
  const Timestamp now = fs.now();
  const auto watch = [&](const std::string& path, bool is_aid) {
    const auto stat = stat_of(fs, path);
    // Every change to a file updates its ctime, and no program can set the ctime.
    found->watched.push_back({path, stat, is_aid, !stat || stat->ctime < now});
  };
  watch(sources.objects_dir + "/info/alternates", false);
  auto places = find_object_directories(fs, sources.objects_dir, sources.alternate_directories);
  found->directories = std::move(places.paths);
  found->problems = std::move(places.problems);
  for (const std::string& directory : found->directories) {
    const std::string pack_dir = directory + "/pack";
    watch(pack_dir + "/", false);
    if (sources.aids.multi_pack_index) watch(pack_dir + "/multi-pack-index", true);
    list_packs(fs, pack_dir, sources.algorithm, open_packs, *found);
    if (sources.aids.multi_pack_index) {
      open_multi_pack_indexes(
          sources, pack_dir, [&](const std::string& path) { watch(path, true); }, *found);
    }
  }
  if (sources.aids.commit_graph) {
    auto graph = CommitGraph::find(fs, found->directories, sources.algorithm,
                                   [&](const std::string& path) { watch(path, true); });
    found->graph = std::move(graph.graph);
    for (Error& problem : graph.problems) found->problems.push_back(std::move(problem));
  }
  return found;
}

bool ObjectStores::changed(FileSystem& fs) const {
  return std::any_of(watched.begin(), watched.end(), [&fs](const Watched& file) {
    return !file.settled || stat_of(fs, file.path) != file.stat;
  });
}

std::vector<ObjectStores::Watched> ObjectStores::watched_aids() const {
  std::vector<Watched> aids;
  std::copy_if(watched.begin(), watched.end(), std::back_inserter(aids),
               [](const Watched& file) { return file.is_aid; });
  return aids;
}

bool ObjectStores::aids_agree(const ObjectId& id) const {
  for (const Covering& covering : coverings) {
    const auto place = covering.index->find(id);
    if (!place.ok()) return false;
    if (!*place) continue;
    const Pack* const pack = covering.packs[(*place)->pack];
    const auto number = pack ? pack->index().find(id) : std::nullopt;
    if (!number) return false;
    const auto offset = pack->index().offset(*number);
    return offset.ok() && *offset == (*place)->offset;
  }
  if (coverings.empty()) return true;
  return std::none_of(packs.begin(), packs.end(), [&](const OpenPack& open) {
    return open.covered && open.pack->index().find(id);
  });
}

}  // namespace resident
