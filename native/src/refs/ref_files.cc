#include "refs/ref_files.h"

#include <utility>

#include "refs/loose_ref.h"
#include "refs/ref_name.h"

namespace resident {

namespace {

constexpr uint64_t kLargestLog = uint64_t{64} << 20;

}  // namespace

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

Result<void> RefFiles::add_loose(const std::string& prefix, Listed& refs) {
  std::vector<std::string> pending = {prefix};
  while (!pending.empty()) {
    const std::string name = std::move(pending.back());
    pending.pop_back();
    const std::string path = common_dir_ + "/" + name;
    DirectoryListing listing;
    auto directory = fs_.open_directory(path);
    auto listed = directory.ok() ? fs_.list(*directory, listing) : Result<void>(directory.error());
    if (!listed.ok()) {
      if (listed.error().code == ErrorCode::kNotFound) continue;
      return Error{listed.error().code, path + ": " + listed.error().message};
    }
    for (size_t i = 0; i < listing.size(); ++i) {
      std::string below = name + std::string(listing[i].name);
      if (listing[i].kind == FileKind::kDirectory) {
        pending.push_back(below + "/");
        continue;
      }
      // git passes over what only looks like a ref.
      if (below.ends_with(".lock") || listing[i].name.starts_with('.')) continue;
      if (!is_valid_ref_name(below)) return corrupt(place_of(below) + ": no ref");
      RESIDENT_TRY(auto raw,
                   read_listed_ref(fs_, *directory, listing[i], place_of(below), algorithm_));
      // Packed or deleted since the directory was listed.
      if (raw) refs.emplace_back(std::move(below), *std::move(raw));
    }
  }
  return {};
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
    return Error{ErrorCode::kUnsupported, path + ": larger than what git writes"};
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
  std::vector<std::string> pending = {common_dir_ + "/" + prefix};
  while (!pending.empty()) {
    files.push_back(std::move(pending.back()));
    pending.pop_back();
    const std::string& path = files.back();
    DirectoryListing listing;
    const auto directory = fs_.open_directory(path);
    if (!directory.ok() || !fs_.list(*directory, listing).ok()) continue;
    for (size_t i = 0; i < listing.size(); ++i) {
      if (listing[i].kind != FileKind::kDirectory) continue;
      pending.push_back(path + std::string(listing[i].name) + "/");
    }
  }
  return files;
}

std::vector<std::string> RefFiles::log_files_of(const std::string& name) {
  return {path_of(name, "logs/")};
}

}  // namespace resident
