#include "refs/ref_store.h"

#include <algorithm>
#include <utility>

#include "refs/ref_files.h"
#include "refs/ref_name.h"
#include "refs/ref_tables.h"

namespace resident {

namespace {

constexpr std::string_view kHead = "HEAD";

// git's limit; a longer chain is as good as a circle.
constexpr int kMaxSymbolicRefs = 5;

}  // namespace

RefStore::RefStore(std::string git_dir, std::string common_dir, HashAlgorithm algorithm,
                   FileSystem& fs, RefStorage storage)
    : git_dir_(std::move(git_dir)),
      common_dir_(std::move(common_dir)),
      algorithm_(algorithm),
      fs_(fs),
      storage_(storage) {
  make_backend();
}

void RefStore::make_backend() {
  if (storage_ == RefStorage::kReftable) {
    backend_ = std::make_unique<RefTables>(git_dir_, common_dir_, algorithm_, fs_);
  } else {
    backend_ = std::make_unique<RefFiles>(git_dir_, common_dir_, algorithm_, fs_);
  }
}

bool RefStore::use(RefStorage storage) {
  if (std::exchange(storage_, storage) == storage) return false;
  make_backend();
  return true;
}

Error RefStore::corrupt_at(const std::string& name, std::string_view reason) const {
  return corrupt(backend_->place_of(name) + ": " + std::string(reason));
}

Result<RefStore::Resolved> RefStore::follow(const std::string& name,
                                            std::vector<std::string>* names) {
  Resolved resolved;
  resolved.name = name;
  std::string from = name;
  for (; resolved.steps < kMaxSymbolicRefs; ++resolved.steps) {
    if (!is_valid_ref_name(resolved.name)) {
      if (resolved.steps > 0) return corrupt_at(from, "points at an invalid ref name");
      return resolved;
    }
    if (names) names->push_back(resolved.name);
    RESIDENT_TRY(RawRef raw, backend_->read(resolved.name));
    if (raw.target.empty()) {
      resolved.id = raw.id;
      return resolved;
    }
    // Elsewhere than below refs/ it makes no repository.
    if (resolved.name == kHead && !raw.target.starts_with("refs/")) {
      return corrupt_at(resolved.name, "points outside refs/");
    }
    from = std::exchange(resolved.name, std::move(raw.target));
  }
  return corrupt_at(name,
                    "symbolic refs form a loop or are nested too deeply, at " + resolved.name);
}

Result<Head> RefStore::head() {
  RESIDENT_TRY(Resolved resolved, follow(std::string(kHead), nullptr));
  Head head;
  head.id = resolved.id;
  head.detached = resolved.steps == 0;
  if (head.detached && !head.id) {
    return Error{ErrorCode::kNotFound, backend_->place_of("HEAD") + ": does not exist"};
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

bool RefStore::is_there(const std::string& full_name) {
  if (!is_valid_ref_name(full_name)) return false;
  const Result<RawRef> raw = backend_->read(full_name);
  return !raw.ok() || !raw->missing();
}

Result<std::optional<RefStore::Found>> RefStore::look_up(const std::string& full_name) {
  RESIDENT_TRY(Resolved resolved, follow(full_name, nullptr));
  if (resolved.id) return std::optional(Found{std::move(resolved.name), *resolved.id});
  if (resolved.steps > 0) return corrupt_at(full_name, "does not lead to a ref");
  return std::optional<Found>();
}

Result<std::vector<RefStore::Listed>> RefStore::list_below(const std::string& prefix,
                                                           Broken broken) {
  RESIDENT_TRY(RefBackend::Listed listed, backend_->below(prefix));
  // Of one name the first counts: a loose ref stands before the packed one, a broken one too.
  const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(listed.begin(), listed.end(), by_name)) {
    std::stable_sort(listed.begin(), listed.end(), by_name);
  }
  const auto is_same = [](const auto& a, const auto& b) { return a.first == b.first; };
  listed.erase(std::unique(listed.begin(), listed.end(), is_same), listed.end());

  std::vector<Listed> refs;
  refs.reserve(listed.size());
  for (auto& [name, raw] : listed) {
    std::optional<ObjectId> id = raw.id;
    if (!raw.target.empty()) {
      Result<Resolved> resolved = follow(name, nullptr);
      const bool is_damage = !resolved.ok() && resolved.error().code == ErrorCode::kCorrupt;
      if (!resolved.ok() && !is_damage) return std::move(resolved).error();
      if (resolved.ok()) id = resolved->id;
      // Deleted since it was listed.
      if (resolved.ok() && !id && resolved->steps == 0) continue;
    }
    if (id && !id->is_null()) {
      refs.push_back({std::move(name), *id, raw.peeled});
    } else if (broken == Broken::kRefused) {
      return corrupt_at(name, "no ref");
    }
  }
  return refs;
}

Result<std::vector<RefStore::Listed>> RefStore::list_below(const std::string& prefix) {
  return list_below(prefix, Broken::kPassedOver);
}

Result<std::map<std::string, ObjectId>> RefStore::refs_below(const std::string& prefix) {
  RESIDENT_TRY(std::vector<Listed> listed, list_below(prefix, Broken::kRefused));
  std::map<std::string, ObjectId> refs;
  for (Listed& ref : listed) refs.emplace_hint(refs.end(), std::move(ref.name), ref.id);
  return refs;
}

Result<void> RefStore::visit_log_backwards(const std::string& full_name,
                                           const ReflogVisitor& visit) {
  if (!is_valid_ref_name(full_name)) return {};
  return backend_->visit_log_backwards(full_name, visit);
}

std::vector<std::string> RefStore::files_of(const std::string& full_name) {
  std::vector<std::string> names;
  [[maybe_unused]] auto resolved = follow(full_name, &names);
  return backend_->files_of(names);
}

std::vector<std::string> RefStore::files_below(const std::string& prefix) {
  std::vector<std::string> files = backend_->files_below(prefix);
  std::vector<std::string> names;
  for (const std::string& symbolic : backend_->symbolic_below(prefix)) {
    [[maybe_unused]] auto resolved = follow(symbolic, &names);
  }
  if (names.empty()) return files;
  for (std::string& file : backend_->files_of(names)) files.push_back(std::move(file));
  return files;
}

std::vector<std::string> RefStore::log_files_of(const std::string& full_name) {
  return backend_->log_files_of(full_name);
}

}  // namespace resident
