#include "refs/ref_store.h"

#include <algorithm>
#include <utility>

#include "refs/ref_name.h"

namespace resident {

namespace {

// git's limit; a longer chain is as good as a circle.
constexpr int kMaxSymbolicRefs = 5;

constexpr std::string_view kWhitespace = " \t\n\v\f\r";

// HEAD of a repository that keeps its refs elsewhere, so that older gits keep their hands off.
constexpr std::string_view kReftableHead = "refs/heads/.invalid";

bool is_worktrees_own(std::string_view name) {
  for (std::string_view prefix : {"refs/worktree/", "refs/bisect/", "refs/rewritten/"}) {
    if (name.starts_with(prefix)) return true;
  }
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || c == '-' || c == '_'; });
}

Error corrupt(const std::string& path, std::string_view reason) {
  return Error{ErrorCode::kCorrupt, path + ": " + std::string(reason)};
}

}  // namespace

RefStore::RefStore(std::string git_dir, std::string common_dir, HashAlgorithm algorithm,
                   FileSystem& fs)
    : git_dir_(std::move(git_dir)),
      common_dir_(std::move(common_dir)),
      algorithm_(algorithm),
      fs_(fs) {
}

std::string RefStore::path_of(std::string_view name) const {
  constexpr std::string_view kMain = "main-worktree/";
  if (name.starts_with(kMain) && is_worktrees_own(name.substr(kMain.size()))) {
    return common_dir_ + "/" + std::string(name.substr(kMain.size()));
  }
  return (is_worktrees_own(name) ? git_dir_ : common_dir_) + "/" + std::string(name);
}

Result<std::string> RefStore::read_link(const std::string& path) {
  const size_t slash = path.rfind('/');
  RESIDENT_TRY(Directory directory, fs_.open_directory(path.substr(0, slash)));
  return fs_.read_link_at(directory, std::string_view(path).substr(slash + 1));
}

Result<std::shared_ptr<const PackedRefs>> RefStore::packed_refs() {
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

Result<RefStore::Raw> RefStore::read_packed(const std::string& name) {
  RESIDENT_TRY(auto packed, packed_refs());
  Raw raw;
  if (packed) {
    RESIDENT_TRY(raw.id, packed->find(name));
  }
  if (raw.missing() && fs_.lstat(common_dir_ + "/reftable/tables.list").ok()) {
    return Error{ErrorCode::kUnsupported, common_dir_ + "/reftable: refs are kept as reftables"};
  }
  return raw;
}

Result<RefStore::Raw> RefStore::read_raw(const std::string& name) {
  const std::string path = path_of(name);
  auto stat = fs_.lstat(path);
  if (!stat.ok()) {
    if (stat.error().code != ErrorCode::kNotFound) return stat.error();
    return read_packed(name);
  }
  if (stat->kind == FileKind::kDirectory) return read_packed(name);

  Raw raw;
  if (stat->kind == FileKind::kSymlink) {
    // The old form of a symbolic ref. Any other link is followed like a file.
    RESIDENT_TRY(std::string target, read_link(path));
    if (target.starts_with("refs/") && is_valid_ref_name(target)) {
      raw.target = std::move(target);
      return raw;
    }
  }
  auto content = fs_.read_file(path);
  if (!content.ok()) {
    // Packed and pruned since lstat, or a link to nowhere.
    if (content.error().code == ErrorCode::kNotFound && stat->kind == FileKind::kRegular) {
      return read_packed(name);
    }
    return content.error();
  }

  std::string_view text = *content;
  text = text.substr(0, text.find_last_not_of(kWhitespace) + 1);
  constexpr std::string_view kSymbolic = "ref:";
  if (text.starts_with(kSymbolic)) {
    text.remove_prefix(kSymbolic.size());
    text.remove_prefix(std::min(text.find_first_not_of(kWhitespace), text.size()));
    if (text == kReftableHead) {
      return Error{ErrorCode::kUnsupported, path + ": refs are kept as reftables"};
    }
    if (!is_valid_ref_name(text)) return corrupt(path, "points at an invalid ref name");
    raw.target = text;
    return raw;
  }
  const size_t hex_size = 2 * hash_size(algorithm_);
  const bool ends =
      text.size() == hex_size ||
      (text.size() > hex_size && kWhitespace.find(text[hex_size]) != std::string_view::npos);
  if (ends) raw.id = ObjectId::from_hex(text.substr(0, hex_size));
  if (!raw.id) return corrupt(path, "holds neither an object id nor the name of a ref");
  return raw;
}

Result<RefStore::Resolved> RefStore::follow(const std::string& name,
                                            std::vector<std::string>* files) {
  Resolved resolved;
  resolved.name = name;
  for (; resolved.steps < kMaxSymbolicRefs; ++resolved.steps) {
    if (!is_valid_ref_name(resolved.name)) return resolved;
    if (files) files->push_back(path_of(resolved.name));
    RESIDENT_TRY(Raw raw, read_raw(resolved.name));
    if (raw.target.empty()) {
      resolved.id = raw.id;
      return resolved;
    }
    resolved.name = std::move(raw.target);
  }
  return corrupt(path_of(name), "symbolic refs run in a circle or too deep, at " + resolved.name);
}

Result<Head> RefStore::head() {
  RESIDENT_TRY(Resolved resolved, follow("HEAD", nullptr));
  Head head;
  head.id = resolved.id;
  head.detached = resolved.steps == 0;
  if (head.detached && !head.id) {
    return Error{ErrorCode::kNotFound, path_of("HEAD") + ": does not exist"};
  }
  if (!head.detached) head.ref = std::move(resolved.name);
  return head;
}

Result<std::optional<ObjectId>> RefStore::resolve(const std::string& full_name) {
  RESIDENT_TRY(Resolved resolved, follow(full_name, nullptr));
  return resolved.id;
}

bool RefStore::exists(const std::string& full_name) {
  auto id = resolve(full_name);
  return id.ok() && id->has_value();
}

Result<std::optional<RefStore::Found>> RefStore::look_up(const std::string& full_name) {
  RESIDENT_TRY(Resolved resolved, follow(full_name, nullptr));
  if (resolved.id) return std::optional(Found{std::move(resolved.name), *resolved.id});
  if (resolved.steps > 0) return corrupt(path_of(full_name), "leads to no ref");
  return std::optional<Found>();
}

Result<std::map<std::string, ObjectId>> RefStore::refs_below(const std::string& prefix) {
  std::map<std::string, ObjectId> refs;
  // Loose refs before packed ones: a ref that is packed meanwhile is seen as the one or the other.
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
      RESIDENT_TRY(const std::optional<ObjectId> id, resolve(below));
      if (!id) {
        // Deleted since the directory was listed, or packed; else it leads nowhere.
        if (fs_.lstat(path_of(below)).ok()) return corrupt(path_of(below), "no ref");
        continue;
      }
      refs.emplace(std::move(below), *id);
    }
  }
  RESIDENT_TRY(auto packed, packed_refs());
  if (!packed) return refs;
  RESIDENT_TRY(auto more, packed->below(prefix));
  for (auto& [name, id] : more) refs.emplace(std::move(name), id);
  return refs;
}

std::vector<std::string> RefStore::files_of(const std::string& full_name) {
  std::vector<std::string> files;
  [[maybe_unused]] auto resolved = follow(full_name, &files);
  files.push_back(common_dir_ + "/packed-refs");
  return files;
}

}  // namespace resident
