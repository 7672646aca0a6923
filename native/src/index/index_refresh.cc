// Index::refresh: takes over a file with the paths that are known, entry by entry in place.
//
// First the whole file is gone through, by two threads where it is long, and nothing is touched.
// Runs of entries whose bytes are known by their fingerprint are passed over.
#include <algorithm>
#include <cstring>
#include <thread>

#include "fs/mapped_file.h"
#include "index/disk_entry.h"
#include "index/index.h"
#include "index/index_file.h"

namespace resident {

class IndexRefresh {
 public:
  // `stat` is that of the file.
  IndexRefresh(Index& index, const FileStat& stat, IndexFile& file)
      : index_(index), stat_(stat), file_(file) {}

  std::optional<Index::Refreshed> run() {
    if (file_.entry_count() != index_.entries_.size() || !compare_all()) return std::nullopt;
    take_over();
    std::sort(refreshed_.entries.begin(), refreshed_.entries.end());
    return std::move(refreshed_);
  }

 private:
  struct Change {
    uint32_t position;
    const uint8_t* disk;
  };

  // Goes along a part of the file.
  class Part {
   public:
    // `path` is that of the entry before.
    Part(const IndexRefresh& whole, IndexFile from, std::string path)
        : file(std::move(from)),
          index_(whole.index_),
          stat_(whole.stat_),
          path_(std::move(path)),
          position_(file.offset()) {}

    // Whether the next entries of the file have the paths and stages of the runs [first, last).
    bool compare(size_t first, size_t last);

    IndexFile file;
    std::vector<Change> changes;
    Index::Refreshed refreshed;
    std::vector<std::pair<size_t, IndexRun>> learned;  // runs that are to be what these are

   private:
    bool is_as_it_was(size_t run) const;
    void seek_past(const IndexRun& run);
    bool compare(const IndexRun& run);
    bool compare(uint32_t position, const IndexEntry& known, const DiskEntry& entry);
    std::string_view path_of(const DiskEntry& entry);
    bool is_in(std::string_view path, uint32_t directory) const;
    bool has_same_id(uint32_t position, const DiskEntry& entry) const;
    void prefetch(const IndexRun& run) const;
    size_t length(size_t run) const {
      return index_.runs_[run + 1].offset - index_.runs_[run].offset;
    }

    const Index& index_;
    const FileStat& stat_;
    const size_t id_size_ = hash_size(index_.algorithm());
    const bool compressed_ = file.version() == 4;
    std::string path_;     // where compressed, of the entry that was read last
    size_t position_;      // of the next run in the file
    uint32_t newest_ = 0;  // mtime of the run that is read
  };

  bool compare_all();
  bool read_extensions();
  void take_over();

  Index& index_;
  const FileStat& stat_;
  IndexFile& file_;
  std::vector<Change> changes_;
  Index::Refreshed refreshed_;
  std::vector<std::pair<size_t, IndexRun>> learned_;
  IndexFile::Extensions extensions_;
  std::optional<CacheTree> cache_tree_;
};

bool IndexRefresh::Part::compare(size_t first, size_t last) {
  const std::span<const IndexRun> runs(index_.runs_);
  for (size_t i = first; i < last; ++i) {
    if (i + 2 < last) prefetch(runs[i + 2]);
    if (is_as_it_was(i)) {
      if (position_ != runs[i].offset) {
        learned.emplace_back(i, runs[i]).second.offset = static_cast<uint32_t>(position_);
      }
      position_ += length(i);
      continue;
    }
    if (file.offset() != position_) seek_past(runs[i - 1]);
    newest_ = 0;
    if (!compare(runs[i])) return false;
    refreshed.compared += runs[i].count;
    IndexRun& now = learned.emplace_back(i, runs[i]).second;
    now.offset = static_cast<uint32_t>(position_);
    now.newest_mtime = newest_;
    now.fingerprint = fingerprint(file.bytes().subspan(position_, file.offset() - position_));
    position_ = file.offset();
  }
  if (file.offset() != position_) file.seek(position_, 0);
  return true;
}

// Whether the next run has the very bytes that it had, and none of its entries is racily clean by
// the time of one of the files. Of the last one it is not known where it ends.
bool IndexRefresh::Part::is_as_it_was(size_t run) const {
  const IndexRun& known = index_.runs_[run];
  if (known.fingerprint == kNoFingerprint || run + 1 == index_.runs_.size() ||
      file.version() != index_.version()) {
    return false;
  }
  IndexStat newest;
  newest.mtime_seconds = known.newest_mtime;
  if (is_racy(newest, index_.mtime()) || is_racy(newest, stat_.mtime)) return false;
  const Bytes bytes = file.bytes().first(file.bytes().size() - id_size_);
  return position_ <= bytes.size() && length(run) <= bytes.size() - position_ &&
         fingerprint(bytes.subspan(position_, length(run))) == known.fingerprint;
}

// Positions the reader after `run`.
void IndexRefresh::Part::seek_past(const IndexRun& run) {
  path_ = index_.path(run.first + run.count - 1);
  file.seek(position_, path_.size());
}

// Prefetches the records that are compared next.
void IndexRefresh::Part::prefetch(const IndexRun& run) const {
  if (run.fingerprint != kNoFingerprint) return;
  const auto fetch = [](const void* begin, size_t bytes) {
    const char* at = static_cast<const char*>(begin);
    for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(at + i);
  };
  fetch(&index_.entries()[run.first], run.count * sizeof(IndexEntry));
  fetch(index_.id_bytes(run.first).data(), run.count * id_size_);
}

bool IndexRefresh::Part::compare(const IndexRun& run) {
  DiskEntry entry;
  size_t prefix = 0;  // the length of the directory's path, with its slash
  for (uint32_t i = 0; i < run.count; ++i) {
    if (!file.next(entry).ok()) return false;
    const uint32_t position = run.first + i;
    const IndexEntry& known = index_.entries()[position];
    const std::string_view name = index_.name(known);
    const std::string_view path = path_of(entry);
    if (!path.ends_with(name)) return false;
    const bool in_same_directory = i > 0 && entry.keep >= prefix;
    if (in_same_directory ? path.size() != prefix + name.size()
                          : !is_in(path.substr(0, path.size() - name.size()), run.directory)) {
      return false;
    }
    prefix = path.size() - name.size();
    if (!compare(position, known, entry)) return false;
  }
  return true;
}

std::string_view IndexRefresh::Part::path_of(const DiskEntry& entry) {
  if (!compressed_) return file.whole_path();
  path_.resize(entry.keep);
  path_.append(entry.suffix);
  return path_;
}

// Whether it is the path of the directory, with a slash at its end.
bool IndexRefresh::Part::is_in(std::string_view path, uint32_t directory) const {
  for (uint32_t d = directory; d != 0; d = index_.directories()[d].parent) {
    const std::string_view name = index_.directory_name(d);
    if (!path.ends_with('/')) return false;
    path.remove_suffix(1);
    if (!path.ends_with(name)) return false;
    path.remove_suffix(name.size());
  }
  return path.empty();
}

// The sizes are constants so that the compiler makes no call of it.
bool IndexRefresh::Part::has_same_id(uint32_t position, const DiskEntry& entry) const {
  const uint8_t* known = index_.id_bytes(position).data();
  const uint8_t* now = entry.id_bytes(id_size_).data();
  return (id_size_ == 20 ? std::memcmp(known, now, 20) : std::memcmp(known, now, 32)) == 0;
}

// False for another stage.
bool IndexRefresh::Part::compare(uint32_t position, const IndexEntry& known,
                                 const DiskEntry& entry) {
  IndexEntry now;
  decode_fields(entry.disk, id_size_, now);
  if (now.mode == kDiskModeDirectory || now.stage() != known.stage()) return false;
  newest_ = std::max(newest_, now.stat.mtime_seconds);
  const bool same = now.stat == known.stat && now.mode == known.mode && now.flags == known.flags &&
                    has_same_id(position, entry);
  if (!same) changes.push_back({position, entry.disk});
  if (!same || is_racy(known.stat, index_.mtime()) != is_racy(now.stat, stat_.mtime)) {
    refreshed.entries.push_back(position);
  }
  return true;
}

bool IndexRefresh::compare_all() {
  const std::span<const IndexRun> runs(index_.runs_);
  const bool many = index_.entries_.size() >= kManyIndexEntries;
  // What one thread has to do with the extensions is about half of what there is to compare.
  const size_t middle = many ? runs.size() / 4 * 3 : 0;
  // The second part begins where it began in the file before. If all is as it was, that is where
  // the first one ends.
  IndexFile from_middle = file_;
  std::string path_before;
  if (middle > 0) {
    const IndexRun& before = runs[middle - 1];
    path_before = index_.path(before.first + before.count - 1);
    from_middle.seek(runs[middle].offset, path_before.size());
  }
  const size_t offset = from_middle.offset();
  Part first(*this, file_, {});
  Part last(*this, std::move(from_middle), std::move(path_before));
  bool first_is_same = true;
  bool last_is_same = false;
  {
    std::jthread second;
    if (middle > 0) {
      second = std::jthread([&] { first_is_same = first.compare(0, middle); });
    }
    last_is_same = last.compare(middle, runs.size());
    file_ = last.file;
    last_is_same = last_is_same && read_extensions();
  }
  if (!first_is_same || !last_is_same || first.file.offset() != offset) return false;
  for (Part* part : {&first, &last}) {
    changes_.insert(changes_.end(), part->changes.begin(), part->changes.end());
    const Index::Refreshed& refreshed = part->refreshed;
    refreshed_.entries.insert(refreshed_.entries.end(), refreshed.entries.begin(),
                              refreshed.entries.end());
    refreshed_.compared += refreshed.compared;
    learned_.insert(learned_.end(), part->learned.begin(), part->learned.end());
  }
  return true;
}

bool IndexRefresh::read_extensions() {
  Result<IndexFile::Extensions> extensions = file_.extensions();
  if (!extensions.ok() || extensions->sparse || !extensions->link.empty() ||
      !file_.check_fsmonitor(*extensions, file_.entry_count()).ok()) {
    return false;
  }
  extensions_ = *extensions;
  cache_tree_ = index_.decode_cache_tree(extensions_.tree);
  return file_.check_cache_tree(extensions_, cache_tree_ ? &*cache_tree_ : nullptr).ok();
}

void IndexRefresh::take_over() {
  const size_t id_size = hash_size(index_.algorithm_);
  bool gitlinks_differ = false;
  for (const Change& change : changes_) {
    IndexEntry& entry = index_.entries_[change.position];
    gitlinks_differ |= entry.is_gitlink();
    decode_fields(change.disk, id_size, entry);
    gitlinks_differ |= entry.is_gitlink();
    std::copy_n(change.disk + kDiskStatSize, id_size,
                index_.ids_.data() + size_t{change.position} * id_size);
  }
  for (const auto& [run, now] : learned_) index_.runs_[run] = now;
  if (gitlinks_differ) index_.find_gitlinks();
  index_.set_cache_tree(std::move(cache_tree_));
  index_.untracked_cache_place_ = extensions_.untracked_cache_place;
  index_.stat_ = stat_;
  index_.version_ = file_.version();
  index_.checksum_ = file_.checksum();
}

std::optional<Index::Refreshed> Index::refresh(const std::string& path,
                                               const LoadOptions& options) {
  if (runs_.empty() || is_sparse_ || !sparse_directories_.empty() || !shared_path_.empty() ||
      options.algorithm != algorithm_) {
    return std::nullopt;
  }
  const Result<MappedFile> mapped = MappedFile::open(path);
  if (!mapped.ok()) return std::nullopt;
  Result<IndexFile> file =
      IndexFile::open(mapped->bytes(), path, options.algorithm, options.verify_checksum);
  if (!file.ok()) return std::nullopt;
  return IndexRefresh(*this, mapped->stat(), *file).run();
}

}  // namespace resident
