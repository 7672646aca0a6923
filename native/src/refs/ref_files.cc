#include "refs/ref_files.h"

#include <set>
#include <utility>

#include "refs/loose_ref.h"
#include "refs/ref_name.h"

namespace resident {

namespace {

constexpr uint64_t kLargestLog = uint64_t{64} << 20;

// Directories that are symbolic links. git follows two in a circle for longer than anybody waits.
constexpr int kMaxLinks = 100;

// Each that is named costs a watch of its own, and a look after each change of anything near.
constexpr size_t kMaxNamed = 100;

// Of damage, and of what may not be read, git warns at most.
bool is_passed_over(const Error& error) {
  return error.code == ErrorCode::kCorrupt || error.code == ErrorCode::kPermission;
}

}  // namespace

struct RefFiles::LooseDirectory {
  std::string name;  // with a slash at its end
  Timestamp read_at;
  // Both of what is there.
  Directory directory;
  FileStat stat;
  std::vector<DirectoryListing::Entry> files;  // also by links
  std::vector<std::string> links;              // to anything but directories, or to nothing
};

RefFiles::RefFiles(std::string git_dir, std::string common_dir, HashAlgorithm algorithm,
                   FileSystem& fs)
    : git_dir_(std::move(git_dir)),
      common_dir_(std::move(common_dir)),
      algorithm_(algorithm),
      fs_(fs) {
}

std::string RefFiles::path_of(std::string_view name, std::string_view below) const {
  const RefAddress address = address_of_ref(name);
  std::string path = common_dir_;
  if (address.owner == RefOwner::kThisWorktree) path = git_dir_;
  if (address.owner == RefOwner::kOtherWorktree) {
    path += "/worktrees/" + std::string(address.worktree);
  }
  path += "/";
  path += below;
  path += address.name;
  return path;
}

Result<std::shared_ptr<const PackedRefs>> RefFiles::packed_refs() {
  const std::string path = common_dir_ + "/packed-refs";
  auto stat = fs_.stat(path);
  if (!stat.ok() && stat.error().code != ErrorCode::kNotFound) return stat.error();
  MutexLock lock(mutex_);
  if (!stat.ok()) {
    packed_ = nullptr;
  } else if (!packed_ || packed_->stat() != *stat) {
    auto opened = PackedRefs::open(path, algorithm_);
    packed_ = opened.ok() ? *opened : nullptr;
    if (!opened.ok() && opened.error().code != ErrorCode::kNotFound) return opened.error();
  }
  return packed_;
}

Result<RawRef> RefFiles::read(const std::string& name) {
  RESIDENT_TRY(std::optional<RawRef> loose, read_loose_ref(fs_, place_of(name), algorithm_));
  if (loose) return *std::move(loose);
  RESIDENT_TRY(auto packed, packed_refs());
  RawRef raw;
  if (packed) {
    RESIDENT_TRY(raw.id, packed->find(name));
  }
  return raw;
}

Result<void> RefFiles::list(const std::string& path, LooseDirectory& loose,
                            DirectoryListing& listing) {
  loose.read_at = fs_.now();
  RESIDENT_TRY(loose.directory, fs_.open_directory(path));
  RESIDENT_TRY(loose.stat, fs_.stat_directory(loose.directory));
  return fs_.list(loose.directory, listing);
}

Result<void> RefFiles::visit_loose(const std::string& prefix, const LooseVisitor& visit) {
  std::vector<std::string> pending = {prefix};
  int links = 0;
  while (!pending.empty()) {
    LooseDirectory loose;
    loose.name = std::move(pending.back());
    pending.pop_back();
    const std::string path = common_dir_ + "/" + loose.name;
    DirectoryListing listing;
    const Result<void> listed = list(path, loose, listing);
    if (!listed.ok() && listed.error().code != ErrorCode::kNotFound &&
        !is_passed_over(listed.error())) {
      return Error{listed.error().code, path + ": " + listed.error().message};
    }
    for (size_t i = 0; i < listing.size(); ++i) {
      const DirectoryListing::Entry entry = listing[i];
      // git passes over what only looks like a ref, or like a directory of them.
      if (entry.name.starts_with('.') || entry.name.ends_with(".lock")) continue;
      const auto kind_of = [](const Result<FileStat>& stat) {
        return stat.ok() ? stat->kind : FileKind::kOther;
      };
      FileKind kind = entry.kind;
      if (kind == FileKind::kUnknown) kind = kind_of(fs_.stat_at(loose.directory, entry.name));
      if (kind == FileKind::kSymlink) {
        kind = kind_of(fs_.stat(path + std::string(entry.name)));
        if (kind == FileKind::kDirectory && ++links > kMaxLinks) {
          return Error{ErrorCode::kUnsupported, path + ": the symbolic links form a loop"};
        }
        if (kind != FileKind::kDirectory) loose.links.push_back(std::string(entry.name));
      }
      if (kind == FileKind::kDirectory) {
        pending.push_back(loose.name + std::string(entry.name) + "/");
      } else if (kind == FileKind::kRegular) {
        loose.files.push_back(entry);
      }
    }
    RESIDENT_CHECK(visit(loose));
  }
  return {};
}

Result<void> RefFiles::add_loose(const std::string& prefix, Listed& refs) {
  return visit_loose(prefix, [&](const LooseDirectory& loose) -> Result<void> {
    for (const DirectoryListing::Entry& file : loose.files) {
      std::string name = loose.name + std::string(file.name);
      if (!is_valid_ref_name(name)) {
        refs.emplace_back(std::move(name), RawRef());
        continue;
      }
      auto raw = read_listed_ref(fs_, loose.directory, file, place_of(name), algorithm_);
      if (!raw.ok() && is_passed_over(raw.error())) {
        refs.emplace_back(std::move(name), RawRef());
        continue;
      }
      if (!raw.ok()) return std::move(raw).error();
      // Packed or deleted since the directory was listed.
      if (*raw) refs.emplace_back(std::move(name), **std::move(raw));
    }
    return {};
  });
}

Result<RefBackend::Listed> RefFiles::below(const std::string& prefix) {
  Listed refs;
  // Loose refs before packed ones: a ref that is packed meanwhile is seen as the one or the other.
  RESIDENT_CHECK(add_loose(prefix, refs));
  RESIDENT_TRY(auto packed, packed_refs());
  if (packed) RESIDENT_CHECK(packed->add_below(prefix, refs));
  return refs;
}

Result<void> RefFiles::visit_log_backwards(const std::string& name, const ReflogVisitor& visit) {
  const std::string path = path_of(name, "logs/");
  Result<FileStat> stat = fs_.stat(path);
  if (stat.ok() && stat->size > kLargestLog) {
    return Error{ErrorCode::kUnsupported, path + ": larger than any file that git writes"};
  }
  Result<std::string> log = stat.ok() ? fs_.read_file(path) : stat.error();
  if (log.ok()) {
    visit_reflog_backwards(*log, algorithm_, visit);
    return {};
  }
  if (log.error().code == ErrorCode::kNotFound) return {};
  return std::move(log).error();
}

std::vector<std::string> RefFiles::files_of(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  for (const std::string& name : names) files.push_back(place_of(name));
  files.push_back(common_dir_ + "/packed-refs");
  return files;
}

std::vector<std::string> RefFiles::files_below(const std::string& prefix) {
  std::vector<std::string> files = {common_dir_ + "/packed-refs"};
  std::vector<std::string> loose_refs;
  // Where no more can be listed, below() fails.
  [[maybe_unused]] auto visited = visit_loose(prefix, [&](const LooseDirectory& loose) {
    const std::string path = common_dir_ + "/" + loose.name;
    files.push_back(path);
    for (const std::string& link : loose.links) files.push_back(path + link);
    for (const DirectoryListing::Entry& file : loose.files) {
      if (loose_refs.size() > kMaxNamed) break;
      loose_refs.push_back(path + std::string(file.name));
    }
    return Result<void>();
  });
  if (loose_refs.size() > kMaxNamed) return files;
  files.insert(files.end(), loose_refs.begin(), loose_refs.end());
  return files;
}

std::vector<std::string> RefFiles::symbolic_in(const LooseDirectory& loose) {
  std::vector<std::string> names;
  for (const DirectoryListing::Entry& file : loose.files) {
    std::string name = loose.name + std::string(file.name);
    if (!is_valid_ref_name(name)) continue;
    const auto raw = read_listed_ref(fs_, loose.directory, file, place_of(name), algorithm_);
    if (raw.ok() && *raw && !(*raw)->target.empty()) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> RefFiles::symbolic_below(const std::string& prefix) {
  std::vector<std::string> names;
  std::set<std::string> visited_names;
  [[maybe_unused]] auto visited = visit_loose(prefix, [&](const LooseDirectory& loose) {
    visited_names.insert(loose.name);
    // Links can lead elsewhere while their directory stays the same.
    const bool is_kept = loose.files.size() > kMaxNamed && loose.links.empty();
    if (is_kept) {
      MutexLock lock(mutex_);
      const auto known = symbolic_.find(loose.name);
      if (known != symbolic_.end() && known->second.directory == loose.stat) {
        names.insert(names.end(), known->second.names.begin(), known->second.names.end());
        return Result<void>();
      }
    }
    std::vector<std::string> found = symbolic_in(loose);
    names.insert(names.end(), found.begin(), found.end());
    MutexLock lock(mutex_);
    // One more change within this tick would leave the same stat.
    const bool is_settled = loose.stat.mtime < loose.read_at && loose.stat.ctime < loose.read_at;
    if (is_kept && is_settled) {
      symbolic_.insert_or_assign(loose.name, Symbolic{loose.stat, std::move(found)});
    } else {
      symbolic_.erase(loose.name);
    }
    return Result<void>();
  });
  MutexLock lock(mutex_);
  std::erase_if(symbolic_, [&](const auto& known) {
    return known.first.starts_with(prefix) && !visited_names.contains(known.first);
  });
  return names;
}

std::vector<std::string> RefFiles::log_files_of(const std::string& name) {
  return {path_of(name, "logs/")};
}

}  // namespace resident
