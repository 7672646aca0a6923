#include "index/refresh_part.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "index/directory_grouper.h"

namespace resident {

namespace {

// Longer names and paths may not fit the file system. They are rare; loading the index again
// handles them.
constexpr size_t kMaxName = 255;
constexpr size_t kMaxPath = 4095;

}  // namespace

bool RefreshPart::compare(size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    if (i + 2 < last) prefetch(runs_[i + 2]);
    if (is_as_it_was(i)) {
      if (position_ != runs_[i].offset) {
        learn(i, runs_[i]).offset = static_cast<uint32_t>(position_);
      }
      position_ += length(i);
      ends_as_known_ = true;
      continue;
    }
    stand_before(i);
    const Mark mark{changes_.size(), differing_.size()};
    newest_ = 0;
    if (compare(runs_[i])) {
      IndexRun now = runs_[i];
      now.offset = static_cast<uint32_t>(position_);
      end_run(now, file_.offset());
      (void)learn(i, now);
      ends_as_known_ = true;
    } else {
      changes_.resize(mark.changes);
      differing_.resize(mark.differing);
      if (!may_move_ || !merge(i)) return false;
    }
    compared_ += runs_[i].count;
    position_ = file_.offset();
  }
  if (file_.offset() != position_) file_.seek(position_, 0);
  return true;
}

// True if the next run has the same bytes as before. No entry in it may be racily clean by either
// file's mtime. The last run is always compared, because its end is unknown. Compressed bytes
// (version 4) have the same meaning only after the same path.
bool RefreshPart::is_as_it_was(size_t run) const {
  const IndexRun& known = runs_[run];
  if (known.fingerprint == kNoFingerprint || run + 1 == runs_.size() ||
      file_.version() != index_.version() || (compressed_ && !ends_as_known_)) {
    return false;
  }
  if (is_racy(known.newest_mtime, index_.mtime()) || is_racy(known.newest_mtime, mtime_)) {
    return false;
  }
  const Bytes bytes = file_.bytes().first(file_.bytes().size() - id_size_);
  return position_ <= bytes.size() && length(run) <= bytes.size() - position_ &&
         fingerprint(bytes.subspan(position_, length(run))) == known.fingerprint;
}

// Positions the reader at `run`, behind all skipped runs, and stores the path before it.
void RefreshPart::stand_before(size_t run) {
  if (file_.offset() != position_) {
    const IndexRun& before = runs_[run - 1];
    path_ = index_.path(before.first + before.count - 1);
    file_.seek(position_, path_.size());
  }
  const std::string_view whole = file_.whole_path();
  path_before_.assign(compressed_ || whole.empty() ? std::string_view(path_) : whole);
}

// Prefetches the records that are compared next.
void RefreshPart::prefetch(const IndexRun& run) const {
  if (run.fingerprint != kNoFingerprint) return;
  const auto fetch = [](const void* begin, size_t bytes) {
    const char* at = static_cast<const char*>(begin);
    for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(at + i);
  };
  fetch(&index_.entries()[run.first], run.count * sizeof(IndexEntry));
  fetch(index_.id_bytes(run.first).data(), run.count * id_size_);
}

// True if the run has the same paths in the same stages.
bool RefreshPart::compare(const IndexRun& run) {
  DiskEntry entry;
  size_t prefix = 0;  // length of the directory's path, with its slash
  for (uint32_t i = 0; i < run.count; ++i) {
    if (!file_.next(entry).ok()) return false;
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

// Entries were added before or inside the run, or entries of it were removed. Entries added behind
// it belong to the next run. False if the index cannot be updated: another directory, or paths out
// of order.
bool RefreshPart::merge(size_t r) {
  const IndexRun& run = runs_[r];
  file_.seek(position_, path_before_.size());
  path_ = path_before_;
  std::string prefix = index_.directory_path(run.directory);
  if (!prefix.empty()) prefix.push_back('/');
  std::string last = path_before_;
  std::string expected;
  int last_stage = 0;
  uint32_t next = 0;  // number of handled entries of the run
  IndexRun* open = nullptr;
  while (next < run.count) {
    const size_t offset = file_.offset();
    DiskEntry entry;
    if (!file_.next(entry).ok()) return false;
    const std::string_view path = path_of(entry);
    const bool follows =
        path > last || (path == last && last_stage != 0 && entry.stage() > last_stage);
    if (path.empty() || !follows) return false;
    // Skip removed entries of the run. `order` compares the read entry with the next one left.
    int order = 1;
    for (; next < run.count; ++next) {
      const IndexEntry& known = index_.entries()[run.first + next];
      expected.assign(prefix).append(index_.name(known));
      order = path.compare(expected);
      if (order == 0) order = entry.stage() - known.stage();
      if (order <= 0) break;
      removed_.push_back(run.first + next);
      ends_as_known_ = false;
    }
    if (order > 0) {
      file_.seek(offset, last.size());
      path_ = last;
      break;
    }
    uint32_t directory = run.directory;
    if (order < 0) {
      const std::optional<uint32_t> into = record_addition(path, entry);
      if (!into) return false;
      directory = *into;
    }
    if (!open || open->directory != directory) {
      if (open) end_run(*open, offset);
      newest_ = 0;
      open = &learn(r, IndexRun{directory, 0, 0, static_cast<uint32_t>(offset)});
    }
    ++open->count;
    if (order < 0) {
      newest_ = std::max(newest_, load_be32(entry.disk + kDiskMtimeOffset));
    } else {
      const uint32_t position = run.first + next++;
      if (!compare(position, index_.entries()[position], entry)) return false;
      ends_as_known_ = true;
    }
    last = path;
    last_stage = entry.stage();
  }
  if (open) {
    end_run(*open, file_.offset());
  } else {
    (void)learn(r, IndexRun{run.directory, 0, 0, static_cast<uint32_t>(position_)});
  }
  return true;
}

// Records an added entry and returns its directory. nullopt: the index has no such directory, or
// cannot contain the entry.
std::optional<uint32_t> RefreshPart::record_addition(std::string_view path,
                                                     const DiskEntry& entry) {
  const size_t slash = path.rfind('/');
  const std::string_view name = path.substr(slash + 1);
  const auto directory =
      index_.find_directory(slash == path.npos ? std::string_view() : path.substr(0, slash));
  // find_directory() ignores empty components, so check the path again.
  if (!directory || !is_in(path.substr(0, slash + 1), *directory) || entry.is_sparse_directory() ||
      !is_index_name(name) || name.size() > kMaxName || path.size() > kMaxPath) {
    return std::nullopt;
  }
  const auto entries = index_.entries_of(*directory);
  const auto behind =
      std::partition_point(entries.begin(), entries.end(), [&](const IndexEntry& known) {
        const std::string_view known_name = index_.name(known);
        return known_name < name || (known_name == name && known.stage() < entry.stage());
      });
  const auto before = index_.directories()[*directory].first_entry +
                      static_cast<uint32_t>(behind - entries.begin());
  additions_.push_back({*directory, before, std::string(name), entry.disk});
  return directory;
}

IndexRun& RefreshPart::learn(size_t run, const IndexRun& now) {
  learned_.push_back({run, now});
  return learned_.back().now;
}

void RefreshPart::end_run(IndexRun& run, size_t end) const {
  run.newest_mtime = newest_;
  run.fingerprint = fingerprint(file_.bytes().subspan(run.offset, end - run.offset));
}

std::string_view RefreshPart::path_of(const DiskEntry& entry) {
  if (!compressed_) return file_.whole_path();
  path_.resize(entry.keep);
  path_.append(entry.suffix);
  return path_;
}

// Whether `path` is the path of the directory, with a slash at its end.
bool RefreshPart::is_in(std::string_view path, uint32_t directory) const {
  for (uint32_t d = directory; d != 0; d = index_.directories()[d].parent) {
    const std::string_view name = index_.directory_name(d);
    if (!path.ends_with('/')) return false;
    path.remove_suffix(1);
    if (!path.ends_with(name)) return false;
    path.remove_suffix(name.size());
  }
  return path.empty();
}

// The sizes are constants, so that the compiler inlines memcmp.
bool RefreshPart::has_same_id(uint32_t position, const DiskEntry& entry) const {
  const uint8_t* known = index_.id_bytes(position).data();
  const uint8_t* now = entry.id_bytes(id_size_).data();
  return (id_size_ == 20 ? std::memcmp(known, now, 20) : std::memcmp(known, now, 32)) == 0;
}

// False if the stage differs.
bool RefreshPart::compare(uint32_t position, const IndexEntry& known, const DiskEntry& entry) {
  IndexEntry now;
  decode_fields(entry.disk, id_size_, now);
  if (now.mode == kDiskModeDirectory || now.stage() != known.stage()) return false;
  newest_ = std::max(newest_, now.stat.mtime_seconds);
  const bool same = now.stat == known.stat && now.mode == known.mode && now.flags == known.flags &&
                    has_same_id(position, entry);
  if (!same) changes_.push_back({position, entry.disk});
  if (!same || is_racy(known, index_.mtime()) != is_racy(now, mtime_)) {
    differing_.push_back(position);
  }
  return true;
}

}  // namespace resident
