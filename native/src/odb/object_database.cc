#include "odb/object_database.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "hash/hasher.h"
#include "odb/loose.h"
#include "odb/reachability_bitmaps.h"

namespace resident {

namespace {

Error not_found(const ObjectId& id, const std::string& objects_dir) {
  return Error{ErrorCode::kNotFound, objects_dir + ": object " + id.hex() + " not found"};
}

// Adds the object's id to a parser's error.
Error naming(const ObjectId& id, const Error& error) {
  return Error{error.code, "object " + id.hex() + ": " + error.message};
}

}  // namespace

ObjectDatabase::ObjectDatabase(FileSystem& fs, std::string objects_dir, const Options& options)
    : fs_(fs),
      objects_dir_(std::move(objects_dir)),
      options_(options),
      empty_tree_(hash_object(options.algorithm, "tree", {})),
      cache_(options.delta_base_cache_bytes) {
}

ObjectDatabase::~ObjectDatabase() = default;

Result<std::unique_ptr<ObjectDatabase>> ObjectDatabase::open(FileSystem& fs,
                                                             const std::string& objects_dir,
                                                             const Options& options) {
  RESIDENT_TRY(Directory directory, fs.open_directory(objects_dir));
  std::unique_ptr<ObjectDatabase> database(new ObjectDatabase(fs, objects_dir, options));
  database->rescan();
  return database;
}

std::shared_ptr<const ObjectStores> ObjectDatabase::stores() const {
  MutexLock lock(mutex_);
  return stores_;
}

std::vector<Error> ObjectDatabase::problems() const {
  return stores()->problems;
}

ObjectDatabase::Places ObjectDatabase::places() const {
  auto current = stores();
  Places places;
  for (const ObjectStores::OpenPack& open : current->packs) places.packs.push_back(open.pack);
  places.directories = current->directories;
  for (const ObjectStores::Covering& covering : current->coverings) {
    const auto& packs = covering.packs;
    places.covers_absent_packs |= std::find(packs.begin(), packs.end(), nullptr) != packs.end();
  }
  return places;
}

std::shared_ptr<const ObjectStores> ObjectDatabase::rescan() {
  const auto fresh = ObjectStores::list(
      {fs_, objects_dir_, options_.alternate_directories, options_.algorithm, aids_},
      stores().get());
  std::unordered_set<uint64_t> packs;
  for (const ObjectStores::OpenPack& open : fresh->packs) packs.insert(open.pack->cache_id());
  cache_.keep_only(packs);
  MutexLock lock(mutex_);
  aids_differ_ |= stores_ && stores_->watched_aids() != fresh->watched_aids();
  stores_ = fresh;
  bitmaps_of_ = nullptr;
  bitmaps_ = nullptr;
  return fresh;
}

bool ObjectDatabase::refresh() {
  if (stores()->changed(fs_)) rescan();
  MutexLock lock(mutex_);
  return std::exchange(aids_differ_, false);
}

std::vector<std::string> ObjectDatabase::listed_files() const {
  std::vector<std::string> files;
  const auto current = stores();
  for (const ObjectStores::Watched& watched : current->watched) files.push_back(watched.path);
  return files;
}

std::shared_ptr<const CommitGraph> ObjectDatabase::commit_graph() const {
  return stores()->graph;
}

// Opens the files without the lock. Two threads can open them at the same time; one result is
// dropped.
std::shared_ptr<const ReachabilityBitmaps> ObjectDatabase::bitmaps() {
  std::shared_ptr<const ObjectStores> listed;
  {
    MutexLock lock(mutex_);
    if (bitmaps_of_ == stores_) return bitmaps_;
    listed = stores_;
  }
  auto found = ReachabilityBitmaps::find(*listed, options_.algorithm);
  MutexLock lock(mutex_);
  bitmaps_of_ = std::move(listed);
  bitmaps_ = found;
  return found;
}

void ObjectDatabase::use(const ObjectAids& aids) {
  if (aids == aids_) return;
  aids_ = aids;
  rescan();
}

// Tries each copy of the object with `from_pack(pack, number)` or `from_loose(path)`. Both return
// Result<T>. Returns the first success; otherwise the first error other than kNotFound.
template <typename T, typename FromPack, typename FromLoose>
Result<T> ObjectDatabase::search(const ObjectStores& stores, const ObjectId& id, FromPack from_pack,
                                 FromLoose from_loose) {
  std::optional<Error> error;
  auto is_answer = [&](const Result<T>& result) {
    if (result.ok()) return true;
    if (!error && result.error().code != ErrorCode::kNotFound) error = result.error();
    return false;
  };
  const size_t count = stores.packs.size();
  const size_t likely = likely_pack_.load(std::memory_order_relaxed);
  for (size_t i = 0; i < count; ++i) {
    const size_t at = likely < count ? (likely + i) % count : i;
    Pack& pack = *stores.packs[at].pack;
    auto number = pack.index().find(id);
    if (!number) continue;
    Result<T> result = from_pack(pack, *number);
    if (!is_answer(result)) continue;
    if (at != likely) likely_pack_.store(at, std::memory_order_relaxed);
    return result;
  }
  for (const std::string& directory : stores.directories) {
    Result<T> result = from_loose(loose_object_path(directory, id));
    if (is_answer(result)) return result;
  }
  if (error) return *std::move(error);
  return not_found(id, objects_dir_);
}

template <typename T, typename FromPack, typename FromLoose>
Result<T> ObjectDatabase::find(const ObjectId& id, FromPack from_pack, FromLoose from_loose) {
  auto search_in = [&](std::shared_ptr<const ObjectStores> where) {
    return search<T>(
        *where, id, [&](Pack& pack, uint32_t number) { return from_pack(*where, pack, number); },
        from_loose);
  };
  if (!stores()->aids_agree(id) && !rescan()->aids_agree(id)) {
    return Error{ErrorCode::kUnsupported,
                 objects_dir_ + ": object " + id.hex() + " is not where a multi-pack-index says"};
  }
  Result<T> result = search_in(stores());
  if (result.ok() || result.error().code == ErrorCode::kUnsupported) return result;
  return search_in(rescan());
}

Result<Object> ObjectDatabase::read_elsewhere(const ObjectStores& stores, const ObjectId& id,
                                              std::vector<const Pack*> passed_over) {
  return search<Object>(
      stores, id,
      [&](Pack& pack, uint32_t number) -> Result<Object> {
        if (std::find(passed_over.begin(), passed_over.end(), &pack) != passed_over.end()) {
          return not_found(id, objects_dir_);
        }
        auto further = passed_over;
        further.push_back(&pack);
        return pack.read(number, cache_, options_.max_object_bytes, [&](const ObjectId& base) {
          return read_elsewhere(stores, base, further);
        });
      },
      [&](const std::string& path) {
        return read_loose_object(fs_, path, options_.max_object_bytes);
      });
}

Result<ObjectId> ObjectDatabase::replaced(const ObjectId& id) const {
  // git's limit (replace-object.c).
  constexpr int kMaxSteps = 4;
  ObjectId current = id;
  for (int steps = 0;; ++steps) {
    auto next = replacements_.find(current);
    if (next == replacements_.end()) return current;
    if (steps == kMaxSteps) break;
    current = next->second;
  }
  return Error{ErrorCode::kUnsupported, "object " + id.hex() + " is replaced too many times"};
}

Result<Object> ObjectDatabase::read(const ObjectId& id) {
  if (replacements_.empty()) return read_itself(id);
  RESIDENT_TRY(const ObjectId instead, replaced(id));
  return read_itself(instead);
}

Result<Object> ObjectDatabase::read_itself(const ObjectId& id) {
  // git knows this object even if it is not stored.
  if (id == empty_tree_) return Object{ObjectType::kTree, {}};
  return find<Object>(
      id,
      [&](const ObjectStores& where, Pack& pack, uint32_t number) {
        return pack.read(number, cache_, options_.max_object_bytes, [&](const ObjectId& base) {
          return read_elsewhere(where, base, {&pack});
        });
      },
      [&](const std::string& path) {
        return read_loose_object(fs_, path, options_.max_object_bytes);
      });
}

Result<ObjectInfo> ObjectDatabase::read_info(const ObjectId& original) {
  RESIDENT_TRY(const ObjectId id, replaced(original));
  if (id == empty_tree_) return ObjectInfo{ObjectType::kTree, 0};
  return find<ObjectInfo>(
      id,
      [&](const ObjectStores&, Pack& pack, uint32_t number) {
        return pack.read_info(number, options_.max_object_bytes);
      },
      [&](const std::string& path) -> Result<ObjectInfo> {
        RESIDENT_TRY(const Object object, read_loose_object(fs_, path, options_.max_object_bytes));
        return ObjectInfo{object.type, object.content.size()};
      });
}

bool ObjectDatabase::contains(const ObjectId& id) {
  if (id == empty_tree_) return true;
  auto found = find<bool>(
      id, [](const ObjectStores&, Pack&, uint32_t) -> Result<bool> { return true; },
      [this](const std::string& path) -> Result<bool> {
        RESIDENT_TRY([[maybe_unused]] FileStat stat, fs_.lstat(path));
        return true;
      });
  return found.ok();
}

Result<std::string> ObjectDatabase::read_typed(const ObjectId& id, ObjectType type) {
  RESIDENT_TRY(Object object, read(id));
  if (object.type != type) {
    return Error{ErrorCode::kCorrupt, "object " + id.hex() + " is a " +
                                          std::string(object_type_name(object.type)) + ", not a " +
                                          std::string(object_type_name(type))};
  }
  return std::move(object.content);
}

Result<ObjectDatabase::Peeled> ObjectDatabase::peel(const ObjectId& id) {
  // Tags of tags are rare. A longer chain must be damaged.
  constexpr int kMaxTags = 64;
  ObjectId current = id;
  for (int tags = 0; tags <= kMaxTags; ++tags) {
    RESIDENT_TRY(Object object, read(current));
    if (object.type == ObjectType::kCommit) return Peeled{current, std::move(object.content)};
    if (object.type != ObjectType::kTag) break;
    auto tag = parse_tag(object.content, options_.algorithm);
    if (!tag.ok()) return naming(current, tag.error());
    current = tag->object;
  }
  return Error{ErrorCode::kCorrupt, "object " + id.hex() + " does not lead to a commit"};
}

Result<ObjectId> ObjectDatabase::peel_to_commit(const ObjectId& id) {
  RESIDENT_TRY(const Peeled peeled, peel(id));
  return peeled.commit;
}

Result<CommitHeader> ObjectDatabase::parse(const Peeled& commit) const {
  Result<CommitHeader> header = parse_commit(commit.content, options_.algorithm);
  if (!header.ok()) return naming(commit.commit, header.error());
  const auto current = stores();
  if (current->graph && !current->graph->agrees(commit.commit, *header)) {
    return Error{ErrorCode::kUnsupported,
                 "object " + commit.commit.hex() + " differs from the entry in the commit-graph"};
  }
  return header;
}

Result<ObjectId> ObjectDatabase::tree_of_commit(const ObjectId& id) {
  RESIDENT_TRY(const Peeled peeled, peel(id));
  RESIDENT_TRY(const CommitHeader commit, parse(peeled));
  return commit.tree;
}

Result<CommitHeader> ObjectDatabase::read_commit_header(const ObjectId& id) {
  RESIDENT_TRY(std::string content, read_commit(id));
  return parse({id, std::move(content)});
}

Result<void> ObjectDatabase::verify(const ObjectId& id) {
  RESIDENT_TRY(const Object object, read_itself(id));
  const ObjectId actual =
      hash_object(options_.algorithm, object_type_name(object.type), as_bytes(object.content));
  if (actual == id) return {};
  return Error{ErrorCode::kCorrupt, "object " + id.hex() + " has the content of " + actual.hex()};
}

}  // namespace resident
