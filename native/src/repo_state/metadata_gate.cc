#include "repo_state/metadata_gate.h"

#include "base/ascii.h"

namespace resident {

namespace {

// Limit of unneeded watched names. Beyond it, all watches are rebuilt.
constexpr size_t kMaxReleased = 1000;

// Attempts for a path whose directories appear and disappear during the check.
constexpr int kMaxTries = 3;

bool is_plain(std::string_view path) {
  if (!path.starts_with('/')) return false;
  for (size_t at = 1;;) {
    const size_t slash = path.find('/', at);
    const std::string_view name = path.substr(at, slash - at);
    if (name.empty() || name == "." || name == "..") return false;
    if (slash == std::string_view::npos) return true;
    at = slash + 1;
  }
}

// Returns "" for the root.
std::string directory_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

std::string name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string openable(const std::string& directory) {
  return directory.empty() ? "/" : directory;
}

std::string lower(std::string_view name) {
  std::string out(name);
  std::transform(out.begin(), out.end(), out.begin(), ascii_lower);
  return out;
}

bool is_missing(const Result<FileStat>& stat) {
  return !stat.ok() && stat.error().code == ErrorCode::kNotFound;
}

bool is_no_directory(const Result<FileStat>& stat) {
  return is_missing(stat) || (stat.ok() && stat->kind == FileKind::kRegular);
}

}  // namespace

MetadataGate::MetadataGate(FileSystem& fs, Watcher& watcher, std::function<bool()> mounts_changed)
    : fs_(fs), watcher_(watcher), mounts_changed_(std::move(mounts_changed)) {
}

void MetadataGate::drain() {
  const Batch batch = watcher_.drain();
  // True if other directories than before may lead to the files.
  bool others_lead = mounts_changed_() || !batch.desynced().empty();
  bool relevant = false;
  for (const auto& [watch, marks] : batch.directories()) {
    const auto known = names_.find(watch);
    if (known == names_.end()) continue;
    if (known->second.is_file) {
      relevant = true;
      continue;
    }
    others_lead |= marks.whole;
    for (const auto& [name, mark] : marks.names) {
      const auto watched = known->second.leading.find(lower(name));
      const bool is_known = watched != known->second.leading.end();
      others_lead |= name.empty() || (is_known && watched->second);
      relevant |= is_known || known->second.all;
    }
  }
  if (others_lead) {
    reset();
  } else if (relevant) {
    ++generation_;
  }
}

void MetadataGate::reset() {
  ++generation_;
  released_ = 0;
  directories_.clear();
  files_.clear();
  for (const auto& [watch, names] : std::exchange(names_, {})) watcher_.remove(watch);
}

void MetadataGate::release(const std::vector<std::string>& paths) {
  ++generation_;
  released_ += paths.size();
  if (released_ > kMaxReleased) return reset();
  for (const std::string& path : paths) {
    const auto known = files_.find(path);
    if (known == files_.end()) continue;
    const WatchId watch = known->second;
    files_.erase(known);
    const bool is_shared = std::any_of(
        files_.begin(), files_.end(), [watch](const auto& other) { return other.second == watch; });
    if (!is_shared && names_.erase(watch) > 0) watcher_.remove(watch);
  }
}

MetadataGate::Coverage MetadataGate::cover(const std::vector<std::string>& paths) {
  Coverage coverage{generation_, {}};
  for (size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty()) continue;
    // A device reports every write by any program; /dev/null would be the worst.
    const bool is_device = names_device(paths[i]);
    if (!is_device && is_covered(paths[i])) continue;
    coverage.uncovered.push_back(i);
    if (!is_device) watch_in_vain(paths[i]);
  }
  return coverage;
}

std::vector<std::string> MetadataGate::unreported_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> left;
  for (const size_t i : cover(paths).uncovered) {
    if (!names_device(paths[i])) left.push_back(paths[i]);
  }
  return left;
}

bool MetadataGate::names_device(const std::string& path) {
  const Result<FileStat> stat = fs_.stat(path);
  return stat.ok() && stat->kind == FileKind::kOther;
}

bool MetadataGate::is_covered(const std::string& path) {
  const bool entries_count = path.ends_with('/');
  const std::string file = path.substr(0, path.size() - entries_count);
  // A late event would come after the answer.
  if (!is_plain(file) || !watcher_.is_exact()) return false;
  for (int tries = 0; tries < kMaxTries; ++tries) {
    std::string name = file;
    std::string directory = directory_of(file);
    while (directory_watch(directory).standing == Standing::kMissing) {
      name = std::exchange(directory, directory_of(directory));
    }
    if (directory_watch(directory).standing == Standing::kUncoverable) return false;
    const bool is_there = name == file;
    if (!watch_name(directory, name_of(name), !is_there || entries_count)) return false;
    // A removed directory that is held open gets no event about its removal. Its parent does.
    if (!directory.empty() && !watch_name(directory_of(directory), name_of(directory), true)) {
      return false;
    }
    if (is_there) return is_covered_there(file, entries_count);
    // The name may have appeared before it was watched.
    if (is_no_directory(fs_.lstat(name))) return true;
    forget_missing(directory_of(file), name);
  }
  return false;
}

// The file's directory is already watched, also for the file's name.
bool MetadataGate::is_covered_there(const std::string& file, bool entries_count) {
  const Result<FileStat> stat = fs_.lstat(file);
  if (is_missing(stat)) return true;
  if (!stat.ok()) return false;
  if (stat->kind == FileKind::kRegular) return watch_file(file);
  if (stat->kind != FileKind::kDirectory) return false;
  return !entries_count || (directory_watch(file).standing == Standing::kWatched &&
                            watch_name(file, "", false, true));
}

// Forgets the directories from `directory` up to `top`.
void MetadataGate::forget_missing(std::string directory, const std::string& top) {
  for (;; directory = directory_of(directory)) {
    directories_.erase(directory);
    if (directory == top) return;
  }
}

// `directory` is "" for the root.
const MetadataGate::DirectoryWatch& MetadataGate::directory_watch(const std::string& directory) {
  if (auto known = directories_.find(directory); known != directories_.end()) return known->second;
  DirectoryWatch known;
  if (!directory.empty()) known = directory_watch(directory_of(directory));
  if (directory.empty() || known.standing == Standing::kWatched) known = watch_directory(directory);
  return directories_.emplace(directory, known).first->second;
}

// The directories above are already watched.
MetadataGate::DirectoryWatch MetadataGate::watch_directory(const std::string& directory) {
  const std::string path = openable(directory);
  const Result<FileStat> before = fs_.lstat(path);
  if (is_no_directory(before)) return {Standing::kMissing, kNoWatch};
  if (!before.ok() || before->kind != FileKind::kDirectory) return {};
  Result<Directory> opened = fs_.open_directory(path);
  if (!opened.ok() || !watcher_.tells_everything(*opened)) return {};
  const Result<Watcher::Added> added = watcher_.add(*opened, Watcher::Scope::kPlace);
  if (!added.ok() || added->id == kNoWatch) return {};
  names_.try_emplace(added->id);
  // Checks that the path still leads to this directory. Later changes cause an event.
  const Result<FileStat> held = fs_.stat_directory(*opened);
  const Result<FileStat> after = fs_.lstat(path);
  const bool same = held.ok() && after.ok() && after->kind == FileKind::kDirectory &&
                    held->device == after->device && held->inode == after->inode;
  return same ? DirectoryWatch{Standing::kWatched, added->id} : DirectoryWatch{};
}

// Watches `name` in a watched directory. False: it cannot be watched.
// - `leads`: the name leads to a file below; else it is a file
// - `all`: every name counts
bool MetadataGate::watch_name(const std::string& directory, std::string_view name, bool leads,
                              bool all) {
  const DirectoryWatch& known = directory_watch(directory);
  Names& names = names_[known.watch];
  const bool has_contents = names.all || !names.leading.empty();
  if (!has_contents) {
    Result<Directory> opened = fs_.open_directory(openable(directory));
    if (!opened.ok()) return false;
    const Result<Watcher::Added> added = watcher_.add(*opened, Watcher::Scope::kNames);
    // Another id means that another directory has just taken its place.
    if (!added.ok() || added->id != known.watch) return false;
  }
  names.all |= all;
  if (!name.empty()) names.leading[lower(name)] |= leads;
  return true;
}

bool MetadataGate::watch_file(const std::string& file) {
  const Result<Watcher::Added> added = watcher_.add_file(file);
  if (!added.ok() || added->id == kNoWatch) return false;
  const auto [known, is_new] = files_.try_emplace(file, added->id);
  const WatchId before = std::exchange(known->second, added->id);
  const bool is_left = before != added->id &&
                       std::none_of(files_.begin(), files_.end(),
                                    [&](const auto& other) { return other.second == before; });
  if (is_left && names_.erase(before) > 0) watcher_.remove(before);
  names_[added->id].is_file = true;
  return true;
}

// Watches the nearest existing directory of an uncovered path, so that at least its events wake the
// owner.
void MetadataGate::watch_in_vain(const std::string& path) {
  for (size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0;
       slash = path.rfind('/', slash - 1)) {
    Result<Directory> directory = fs_.open_directory(path.substr(0, slash));
    if (!directory.ok()) continue;
    const Result<Watcher::Added> added = watcher_.add(*directory, Watcher::Scope::kContents);
    if (!added.ok() || added->id == kNoWatch) return;
    const size_t end = path.find('/', slash + 1);
    names_[added->id].leading[lower(path.substr(slash + 1, end - slash - 1))] = true;
    return;
  }
}

}  // namespace resident
