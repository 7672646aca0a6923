// Index::refresh: takes over a file with the paths that are known, entry by entry in place.
//
// First the whole file is gone through, by two threads where it is long, and nothing is touched.
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

  std::optional<std::vector<uint32_t>> run() {
    if (file_.entry_count() != index_.entries_.size() || !compare_all()) return std::nullopt;
    const Result<IndexFile::Extensions> extensions = file_.extensions();
    if (!extensions.ok() || extensions->sparse || !extensions->link.empty() ||
        !file_.check_fsmonitor(*extensions, file_.entry_count()).ok()) {
      return std::nullopt;
    }
    take_over(*extensions);
    std::sort(looked_otherwise_.begin(), looked_otherwise_.end());
    return std::move(looked_otherwise_);
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
        : file(std::move(from)), index_(whole.index_), stat_(whole.stat_), path_(std::move(path)) {}

    // Whether the next entries of the file have the paths and stages of the runs.
    bool compare(std::span<const IndexRun> runs) {
      for (size_t i = 0; i < runs.size(); ++i) {
        if (i + 2 < runs.size()) expect_soon(runs[i + 2]);
        if (!compare(runs[i])) return false;
      }
      return true;
    }

    IndexFile file;
    std::vector<Change> changes;
    std::vector<uint32_t> looked_otherwise;

   private:
    // Has what is known of its entries fetched.
    void expect_soon(const IndexRun& run) const {
      const auto fetch = [](const void* begin, size_t bytes) {
        const char* at = static_cast<const char*>(begin);
        for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(at + i);
      };
      fetch(&index_.entries()[run.first], run.count * sizeof(IndexEntry));
      fetch(index_.id_bytes(run.first).data(), run.count * id_size_);
    }
    bool compare(const IndexRun& run);
    bool compare(uint32_t position, const IndexEntry& known, const DiskEntry& entry);
    std::string_view path_of(const DiskEntry& entry);
    bool is_in(std::string_view path, uint32_t directory) const;
    bool has_same_id(uint32_t position, const DiskEntry& entry) const;

    const Index& index_;
    const FileStat& stat_;
    const size_t id_size_ = hash_size(index_.algorithm());
    const bool compressed_ = file.version() == 4;
    std::string path_;  // where compressed, of the entry that was read last
  };

  bool compare_all();
  void take_over(const IndexFile::Extensions& extensions);

  Index& index_;
  const FileStat& stat_;
  IndexFile& file_;
  std::vector<Change> changes_;
  std::vector<uint32_t> looked_otherwise_;
};

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
  const bool same = now.stat == known.stat && now.mode == known.mode && now.flags == known.flags &&
                    has_same_id(position, entry);
  if (!same) changes.push_back({position, entry.disk});
  if (!same || is_racy(known.stat, index_.mtime()) != is_racy(now.stat, stat_.mtime)) {
    looked_otherwise.push_back(position);
  }
  return true;
}

bool IndexRefresh::compare_all() {
  const std::span<const IndexRun> runs(index_.runs_);
  const bool many = index_.entries_.size() >= kManyIndexEntries;
  const size_t middle = many ? runs.size() / 2 : 0;
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
      second = std::jthread([&] { first_is_same = first.compare(runs.first(middle)); });
    }
    last_is_same = last.compare(runs.subspan(middle));
  }
  if (!first_is_same || !last_is_same || first.file.offset() != offset) return false;
  for (Part* part : {&first, &last}) {
    changes_.insert(changes_.end(), part->changes.begin(), part->changes.end());
    looked_otherwise_.insert(looked_otherwise_.end(), part->looked_otherwise.begin(),
                             part->looked_otherwise.end());
  }
  file_ = last.file;
  return true;
}

void IndexRefresh::take_over(const IndexFile::Extensions& extensions) {
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
  if (gitlinks_differ) index_.find_gitlinks();
  index_.set_cache_tree(extensions.tree);
  index_.untracked_cache_place_ = extensions.untracked_cache_place;
  index_.stat_ = stat_;
  index_.version_ = file_.version();
  index_.checksum_ = file_.checksum();
}

std::optional<std::vector<uint32_t>> Index::refresh(const std::string& path,
                                                    const LoadOptions& options) {
  if (runs_.empty() || is_sparse_ || !sparse_directories_.empty() || !shared_path_.empty() ||
      options.algorithm != algorithm_) {
    return std::nullopt;
  }
  const Result<MappedFile> mapped = MappedFile::open(path, MappedFile::Use::kWhole);
  if (!mapped.ok()) return std::nullopt;
  Result<IndexFile> file =
      IndexFile::open(mapped->bytes(), path, options.algorithm, options.verify_checksum);
  if (!file.ok()) return std::nullopt;
  return IndexRefresh(*this, mapped->stat(), *file).run();
}

}  // namespace resident
