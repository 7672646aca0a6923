// Index::refresh: updates the index from its file, in place.
//
// Pass 1 compares the whole file and changes nothing; a long file gets two threads. Pass 2 decodes
// the differences. If entries were added or removed, it moves the entries behind them.
#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>

#include "fs/mapped_file.h"
#include "index/index.h"
#include "index/index_file.h"
#include "index/index_parts.h"
#include "index/refresh_part.h"
#include "parallel/beside.h"

namespace resident {

namespace {

constexpr size_t kMaxUnusedNames = size_t{64} << 10;

}  // namespace

class IndexRefresh {
 public:
  // `stat` is the file's.
  IndexRefresh(Index& index, const FileStat& stat, IndexFile& file, bool may_move)
      : index_(index), stat_(stat), file_(file), may_move_(may_move) {}

  std::optional<Index::Refreshed> run() {
    const bool same_count = file_.entry_count() == index_.entries_.size();
    if ((!same_count && !may_move_) || !compare_all()) return std::nullopt;
    const bool moves = !additions_.empty() || !removed_.empty();
    if (moves ? !arrange() : !check_cache_tree()) return std::nullopt;
    apply_parts();
    std::sort(refreshed_.entries.begin(), refreshed_.entries.end());
    return std::move(refreshed_);
  }

 private:
  bool compare_all();
  bool read_extensions();
  bool check_cache_tree();
  IndexFile begin_at(size_t run, const std::string& path_before) const;
  void collect(const RefreshPart& part);
  bool arrange();
  void sort_moves();
  std::vector<IndexRun> arranged_runs() const;
  void set_entry_count(size_t count);
  void apply_parts();
  bool move_entries();

  Index& index_;
  const FileStat& stat_;
  IndexFile& file_;
  const bool may_move_;
  std::vector<RefreshPart::Change> changes_;
  std::vector<RefreshPart::Addition> additions_;
  std::vector<uint32_t> removed_;
  std::vector<RefreshPart::Learned> learned_;
  Index::Refreshed refreshed_;
  IndexFile::Extensions extensions_;
  FsmonitorMarks marks_;
  std::optional<CacheTree> cache_tree_;
  size_t count_before_ = 0;
};

// The file, positioned at the run `run`. Tries the old offset, then searches near it. The run's
// first entry is found by its id and path. A wrong position is harmless: the part before must end
// exactly there.
IndexFile IndexRefresh::begin_at(size_t run, const std::string& path_before) const {
  constexpr size_t kNear = 1 << 16;
  const IndexRun& known = index_.runs_[run];
  const Bytes id = index_.id_bytes(known.first);
  const std::string path = index_.path(known.first);
  const Bytes bytes = file_.bytes();
  IndexFile file = file_;
  const auto begins_at = [&](size_t offset) {
    file.seek(offset, path_before.size());
    DiskEntry entry;
    return file.next(entry).ok() &&
           (file.version() == 4 ? path_before.substr(0, entry.keep).append(entry.suffix)
                                : file.whole_path()) == path;
  };
  size_t best = known.offset;
  const size_t begin = std::min(bytes.size(), known.offset - std::min<size_t>(known.offset, kNear));
  const size_t end = std::min(bytes.size(), known.offset + kNear);
  auto at = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = bytes.begin() + static_cast<std::ptrdiff_t>(end);
  const std::boyer_moore_horspool_searcher searcher(id.begin(), id.end());
  bool is_found = begins_at(best);
  for (; !is_found && (at = std::search(at, last, searcher)) != last; ++at) {
    const auto found = static_cast<size_t>(at - bytes.begin());
    is_found = found >= kDiskStatSize && begins_at(found - kDiskStatSize);
    if (is_found) best = found - kDiskStatSize;
  }
  file.seek(best, path_before.size());
  return file;
}

bool IndexRefresh::compare_all() {
  const std::span<const IndexRun> runs(index_.runs_);
  const bool many = index_.entries_.size() >= kManyIndexEntries;
  // The thread of the second part also reads the extensions. The extensions cost about half as much
  // as comparing all entries, so the second part is smaller.
  const size_t middle = many ? runs.size() / 4 * 3 : 0;
  // The start of the second part is a guess. It was right if the first part ends there.
  IndexFile from_middle = file_;
  std::string path_before;
  if (middle > 0) {
    const IndexRun& before = runs[middle - 1];
    path_before = index_.path(before.first + before.count - 1);
    from_middle = begin_at(middle, path_before);
  }
  const size_t offset = from_middle.offset();
  RefreshPart first(index_, runs, stat_.mtime, file_, {}, may_move_);
  RefreshPart last(index_, runs, stat_.mtime, std::move(from_middle), std::move(path_before),
                   may_move_);
  bool first_is_same = true;
  bool last_is_same = false;
  {
    std::optional<Beside> second;
    if (middle > 0) second.emplace([&] { first_is_same = first.compare(0, middle); });
    last_is_same = last.compare(middle, runs.size());
    file_ = last.file();
    last_is_same = last_is_same && read_extensions();
    if (second) second->join();
  }
  if (!first_is_same || !last_is_same || first.file().offset() != offset) return false;
  // In version 4, paths of the second part depend on the path before it.
  if (file_.version() == 4 && !first.ends_as_known()) return false;
  collect(first);
  collect(last);
  // Names are never removed, so after many changes a full load is better.
  size_t new_names = 0;
  for (const RefreshPart::Addition& addition : additions_) new_names += addition.name.size();
  if (index_.unused_names_ > kMaxUnusedNames + index_.names_.size() / 4 ||
      new_names > UINT32_MAX - index_.names_.size()) {
    return false;
  }
  return index_.entries_.size() + additions_.size() == file_.entry_count() + removed_.size();
}

void IndexRefresh::collect(const RefreshPart& part) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(changes_, part.changes());
  append(additions_, part.additions());
  append(removed_, part.removed());
  append(learned_, part.learned());
  append(refreshed_.entries, part.differing());
  refreshed_.compared += part.compared();
}

bool IndexRefresh::read_extensions() {
  Result<IndexFile::Extensions> extensions = file_.extensions();
  if (!extensions.ok() || extensions->sparse || !extensions->link.empty()) return false;
  Result<FsmonitorMarks> marks = file_.fsmonitor_marks(*extensions, file_.entry_count());
  if (!marks.ok()) return false;
  marks_ = *std::move(marks);
  extensions_ = *extensions;
  if (!extensions_.tree.empty()) {
    cache_tree_ = CacheTree::parse(extensions_.tree, index_);
  }
  return true;
}

// Call it when directories_ and entries_ have their new sizes and counts.
bool IndexRefresh::check_cache_tree() {
  if (cache_tree_) cache_tree_->check_counts(index_);
  return file_.check_cache_tree(extensions_, cache_tree_ ? &*cache_tree_ : nullptr).ok();
}

// Sorts added and removed entries by their position in the index, which groups entries by
// directory.
void IndexRefresh::sort_moves() {
  std::sort(removed_.begin(), removed_.end());
  std::stable_sort(additions_.begin(), additions_.end(), [](const auto& a, const auto& b) {
    return std::pair(a.before, a.directory) < std::pair(b.before, b.directory);
  });
  std::vector<uint32_t> added;
  for (const RefreshPart::Addition& addition : additions_) {
    const auto gone = std::lower_bound(removed_.begin(), removed_.end(), addition.before);
    added.push_back(addition.before - static_cast<uint32_t>(gone - removed_.begin()) +
                    static_cast<uint32_t>(added.size()));
  }
  for (const uint32_t position : removed_) {
    refreshed_.removed.push_back(
        {index_.directory_of(position), std::string(index_.name(index_.entries_[position]))});
  }
  refreshed_.moves = EntryMoves(std::move(removed_), std::move(added));
}

// The runs after the refresh, without their positions.
std::vector<IndexRun> IndexRefresh::arranged_runs() const {
  std::vector<IndexRun> runs;
  runs.reserve(index_.runs_.size() + additions_.size());
  auto learned = learned_.begin();
  for (size_t i = 0; i < index_.runs_.size(); ++i) {
    if (learned == learned_.end() || learned->run != i) runs.push_back(index_.runs_[i]);
    for (; learned != learned_.end() && learned->run == i; ++learned) {
      if (learned->now.count > 0) runs.push_back(learned->now);
    }
  }
  return runs;
}

void IndexRefresh::set_entry_count(size_t count) {
  const size_t id_size = hash_size(index_.algorithm_);
  const auto set = [](auto& array, size_t size) {
    if (size > array.size()) {
      (void)array.extend(size - array.size());
    } else {
      array.shrink(size);
    }
  };
  set(index_.entries_, count);
  set(index_.ids_, count * id_size);
}

// Computes the new directories and runs. False: nothing changed, because a directory became empty
// or the file contradicts itself.
bool IndexRefresh::arrange() {
  sort_moves();
  std::vector<IndexRun> runs = arranged_runs();
  std::vector<IndexDirectory> directories = index_.directories_;
  for (IndexDirectory& directory : directories) directory.entry_count = 0;
  for (const IndexRun& run : runs) directories[run.directory].entry_count += run.count;
  uint32_t first = 0;
  for (IndexDirectory& directory : directories) {
    directory.first_entry = first;
    first += std::exchange(directory.entry_count, 0);
  }
  for (IndexRun& run : runs) {
    IndexDirectory& directory = directories[run.directory];
    run.first = directory.first_entry + directory.entry_count;
    directory.entry_count += run.count;
  }
  const size_t count_before = index_.entries_.size();
  directories.swap(index_.directories_);
  set_entry_count(count_before + additions_.size());
  set_entry_count(file_.entry_count());
  const auto is_empty = [this](uint32_t directory) {
    const auto [begin, end] = index_.subtree_entries(directory);
    return begin == end;
  };
  bool fits = first == file_.entry_count();
  for (uint32_t d = 1; d < index_.directories_.size() && fits; ++d) fits = !is_empty(d);
  if (!fits || !check_cache_tree()) {
    directories.swap(index_.directories_);
    set_entry_count(count_before);
    return false;
  }
  count_before_ = count_before;
  index_.runs_ = std::move(runs);
  learned_.clear();
  return true;
}

// Returns true if a submodule was added.
bool IndexRefresh::move_entries() {
  const EntryMoves& moves = refreshed_.moves;
  const size_t id_size = hash_size(index_.algorithm_);
  for (const auto& [directory, name] : refreshed_.removed) index_.unused_names_ += name.size();
  {
    std::optional<Beside> second;
    const auto move_ids = [&] { moves.apply(index_.ids_.data(), id_size, count_before_); };
    if (count_before_ >= kManyIndexEntries) {
      second.emplace(move_ids);
    } else {
      move_ids();
    }
    moves.apply(index_.entries_.data(), sizeof(IndexEntry), count_before_);
    if (second) second->join();
  }
  bool has_gitlink = false;
  for (size_t i = 0; i < additions_.size(); ++i) {
    const RefreshPart::Addition& addition = additions_[i];
    const uint32_t position = moves.added()[i];
    IndexEntry& entry = index_.entries_[position];
    decode_fields(addition.disk, id_size, entry);
    entry.name_offset = static_cast<uint32_t>(index_.names_.size());
    entry.name_length = static_cast<uint16_t>(addition.name.size());
    index_.names_.append({addition.name.data(), addition.name.size()});
    std::copy_n(addition.disk + kDiskStatSize, id_size, index_.ids_.data() + position * id_size);
    has_gitlink |= entry.is_gitlink();
    index_.may_intend_to_add_ |= entry.intent_to_add();
  }
  std::vector<uint32_t> gitlinks;
  for (const uint32_t gitlink : index_.gitlinks_) {
    if (const auto now = moves.now(gitlink)) gitlinks.push_back(*now);
  }
  index_.gitlinks_ = std::move(gitlinks);
  for (uint32_t& position : refreshed_.entries) position = *moves.now(position);
  const auto added = moves.added();
  refreshed_.entries.insert(refreshed_.entries.end(), added.begin(), added.end());
  return has_gitlink;
}

void IndexRefresh::apply_parts() {
  const size_t id_size = hash_size(index_.algorithm_);
  bool gitlinks_differ = false;
  for (const RefreshPart::Change& change : changes_) {
    IndexEntry& entry = index_.entries_[change.position];
    gitlinks_differ |= entry.is_gitlink();
    decode_fields(change.disk, id_size, entry);
    gitlinks_differ |= entry.is_gitlink();
    index_.may_intend_to_add_ |= entry.intent_to_add();
    std::copy_n(change.disk + kDiskStatSize, id_size,
                index_.ids_.data() + size_t{change.position} * id_size);
  }
  for (const auto& [run, now] : learned_) index_.runs_[run] = now;
  if (!refreshed_.moves.empty()) gitlinks_differ |= move_entries();
  if (gitlinks_differ) index_.gitlinks_ = gitlinks_in(index_.entries());
  index_.cache_tree_ = std::move(cache_tree_);
  link_cache_tree(index_.directories_, index_.cache_tree());
  index_.fsmonitor_ = marks_in_index(std::move(marks_), index_.runs_, index_.entries_.size());
  index_.untracked_cache_place_ = extensions_.untracked_cache_place;
  index_.stat_ = stat_;
  index_.version_ = file_.version();
  index_.checksum_ = file_.checksum();
}

std::optional<Index::Refreshed> Index::refresh(const std::string& path, const LoadOptions& options,
                                               bool may_move) {
  if (runs_.empty() || is_sparse_ || !sparse_directories_.empty() || !shared_path_.empty() ||
      options.algorithm != algorithm_) {
    return std::nullopt;
  }
  const Result<MappedFile> mapped = MappedFile::open(path);
  if (!mapped.ok()) return std::nullopt;
  Result<IndexFile> file =
      IndexFile::open(mapped->bytes(), path, options.algorithm, options.verify_checksum);
  if (!file.ok()) return std::nullopt;
  return IndexRefresh(*this, mapped->stat(), *file, may_move).run();
}

}  // namespace resident
