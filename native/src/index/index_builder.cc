#include "index/index_builder.h"

#include <future>

#include "fs/mapped_file.h"
#include "index/index_parts.h"

namespace resident {

namespace {

// Room for entries that refresh() adds, without copying the arrays. Untouched pages cost no memory.
constexpr size_t kSpareEntries = 4096;
constexpr size_t kSpareNames = size_t{64} << 10;

}  // namespace

IndexBuilder::IndexBuilder(HashAlgorithm algorithm)
    : index_(new Index()), grouper_(index_->directories_, index_->names_) {
  index_->algorithm_ = algorithm;
  index_->checksum_ = ObjectId::null(algorithm);
}

void IndexBuilder::start(const IndexFile& file, size_t entries, size_t name_bytes) {
  index_->version_ = file.version();
  index_->checksum_ = file.checksum();
  file_ = file.bytes().data();
  // Most of these pages are never touched.
  index_->names_.reserve(name_bytes + (entries < kManyIndexEntries ? 0 : kSpareNames));
  runs_.reserve(entries);
  if (entries < kManyIndexEntries) return;
  const size_t id_size = hash_size(index_->algorithm_);
  index_->entries_.reserve(entries + kSpareEntries);
  index_->ids_.reserve((entries + kSpareEntries) * id_size);
  prefault_.emplace([this, entries, id_size, bytes = file.bytes(),
                     records = index_->entries_.data(), ids = index_->ids_.data()] {
    MappedFile::map_ahead(bytes, stops_prefault_);
    BulkMemory::touch(records, entries * sizeof(IndexEntry), stops_prefault_);
    BulkMemory::touch(ids, entries * id_size, stops_prefault_);
  });
}

void IndexBuilder::set_sparse() {
  index_->is_sparse_ = true;
}

void IndexBuilder::set_shared_path(std::string path) {
  index_->shared_path_ = std::move(path);
}

Result<void> IndexBuilder::add_any(const DiskEntry& entry, size_t keep, std::string_view suffix) {
  if (entry.is_sparse_directory()) {
    if (entry.stage() != 0 || (entry.flags & IndexEntry::kSkipWorktree) == 0) {
      return Error{ErrorCode::kUnsupported, "directory entry that is not sparse"};
    }
    RESIDENT_TRY(uint32_t directory, grouper_.add_directory(keep, suffix));
    index_->sparse_directories_.push_back(directory);
    const Bytes id = entry.id_bytes(hash_size(index_->algorithm_));
    index_->sparse_ids_.insert(index_->sparse_ids_.end(), id.begin(), id.end());
    return {};
  }
  RESIDENT_TRY(const DirectoryGrouper::Place place, grouper_.add(keep, suffix, entry.stage()));
  place_entry(entry, place);
  return {};
}

Result<std::shared_ptr<Index>> IndexBuilder::finish(const IndexFile& file,
                                                    const IndexFile::Extensions& extensions,
                                                    const FileStat& stat, FsmonitorMarks marks) {
  finish_entries(extensions.tree);
  RESIDENT_CHECK(file.check_cache_tree(extensions, index_->cache_tree()));
  index_->untracked_cache_place_ = extensions.untracked_cache_place;
  if (!index_->is_sparse_ && index_->sparse_directories_.empty() && index_->shared_path_.empty()) {
    index_->fsmonitor_ = marks_in_index(std::move(marks), index_->runs_, index_->entries_.size());
  }
  index_->stat_ = stat;
  return std::move(index_);
}

std::shared_ptr<Index> IndexBuilder::finish_empty() {
  finish_entries({});
  return std::move(index_);
}

void IndexBuilder::finish_entries(Bytes cache_tree) {
  grouper_.finish();
  const bool many = runs_.entry_count() >= kManyIndexEntries;
  index_->names_.trim(many ? kSpareNames : 0);
  index_->directories_.shrink_to_fit();
  place_entries(cache_tree);
  if (has_gitlinks_) index_->gitlinks_ = gitlinks_in(index_->entries());
}

// A second thread places the entries while this thread reads the cache tree, which needs only the
// directories' names.
void IndexBuilder::place_entries(Bytes cache_tree) {
  const size_t count = runs_.entry_count();
  const size_t id_size = hash_size(index_->algorithm_);
  IndexEntry* const entries = index_->entries_.extend(count);
  uint8_t* const ids = index_->ids_.extend(count * id_size);
  const auto assign_slots = [this] {
    index_->runs_ = runs_.assign_slots(index_->directories_, file_);
    // Stop the prefault: two copying threads fault in the missing pages faster than this one.
    stops_prefault_ = true;
    if (prefault_) prefault_->join();
  };
  std::packaged_task<void()> slots(assign_slots);
  const std::shared_future<void> assigned = slots.get_future().share();
  const auto place = [&, assigned] {
    slots();
    assigned.get();
    runs_.copy(id_size, entries, ids);
  };
  const bool many = count >= kManyIndexEntries;
  std::optional<Beside> second;
  if (many) {
    second.emplace(place);
  } else {
    place();
  }
  std::optional<CacheTree> tree;
  if (!cache_tree.empty()) tree = CacheTree::parse(cache_tree, *index_);
  assigned.get();
  if (tree) tree->check_counts(*index_);
  index_->cache_tree_ = std::move(tree);
  link_cache_tree(index_->directories_, index_->cache_tree());
  if (second) {
    runs_.copy(id_size, entries, ids);
    second->join();
  }
  index_->entries_.trim(many ? kSpareEntries : 0);
  index_->ids_.trim(many ? kSpareEntries * id_size : 0);
}

}  // namespace resident
