#include "repo_state/history_overrides.h"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "odb/commit_reader.h"

namespace resident {

namespace {

constexpr const char* kReplace = "refs/replace/";

// `replaced`: by ref.
Result<ObjectDatabase::Replacements> replacements_of(
    const std::map<std::string, ObjectId>& replaced, HashAlgorithm algorithm) {
  ObjectDatabase::Replacements replacements;
  for (const auto& [name, instead] : replaced) {
    auto id = ObjectId::from_hex(std::string_view(name).substr(name.rfind('/') + 1));
    const bool is_new =
        id && id->algorithm() == algorithm && replacements.emplace(*id, instead).second;
    if (!is_new) {
      return Error{ErrorCode::kUnsupported, name + ": not the name of an object to replace"};
    }
  }
  return replacements;
}

}  // namespace

Result<void> HistoryOverrides::check_surroundings() const {
  const std::string& worktree = parts_.repository.worktree;
  for (const char* name :
       {"GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE", "GIT_ATTR_SOURCE"}) {
    if (std::getenv(name)) {
      return Error{ErrorCode::kUnsupported, worktree + ": " + name + " is set"};
    }
  }
  if (parts_.config.get().find("attr.tree")) {
    return Error{ErrorCode::kUnsupported, worktree + ": attr.tree is set"};
  }
  return {};
}

Result<HistoryOverrides::Replaced> HistoryOverrides::replaced_objects() const {
  const bool uses_refs =
      parts_.config.get().get_bool("core.usereplacerefs", !std::getenv("GIT_NO_REPLACE_OBJECTS"));
  if (!uses_refs) return Replaced();
  auto refs = parts_.refs.refs_below(kReplace);
  // git has its own message for a broken ref.
  if (!refs.ok()) return Error{ErrorCode::kUnsupported, std::move(refs).error().message};
  return refs;
}

// True if other objects are replaced.
Result<bool> HistoryOverrides::read() {
  const Repository& repository = parts_.repository;
  const std::string grafts = repository.common_dir + "/info/grafts";
  const std::string shallow = repository.common_dir + "/shallow";
  FileSet recorded = FileSet::record_found(fs_, [&] {
    std::vector<std::string> files = parts_.refs.files_below(kReplace);
    append_files(files, {grafts, shallow});
    return files;
  });
  RESIDENT_CHECK(check_surroundings());
  // git prints a hint against grafts.
  if (fs_.lstat(grafts).ok()) return Error{ErrorCode::kUnsupported, grafts + ": grafts are in use"};
  RESIDENT_TRY(Replaced replaced, replaced_objects());
  RESIDENT_TRY(auto replacements, replacements_of(replaced, repository.algorithm));
  // git reports a line of this file that names no commit, and stops.
  if (auto cut = read_shallow_file(fs_, shallow, repository.algorithm); !cut.ok()) {
    return Error{ErrorCode::kUnsupported, std::move(cut).error().message};
  }
  const bool changed = replaced != replaced_;
  replaced_ = std::move(replaced);
  if (changed) parts_.objects.get().set_replacements(std::move(replacements));
  // git ignores its commit-graph if the history differs from the stored one.
  const bool is_stored = replaced_.empty() && !fs_.stat(shallow).ok();
  const Config& config = parts_.config.get();
  const GitRules& rules = parts_.git.rules();
  parts_.objects.use({.multi_pack_index = config.get_bool("core.multipackindex", true),
                      .multi_pack_index_chain = rules.reads_multi_pack_index_chains,
                      .multi_pack_index_version_2 = rules.reads_multi_pack_index_version_2,
                      .commit_graph = is_stored && config.get_bool("core.commitgraph", true)});
  files_ = std::move(recorded);
  return changed;
}

Result<void> HistoryOverrides::load() {
  replaced_.clear();
  RESIDENT_CHECK(read());
  return {};
}

Result<bool> HistoryOverrides::refresh() {
  is_stale_ |= files_.changed(fs_, gate_);
  if (!is_stale_) return false;
  RESIDENT_TRY(const bool changed, read());
  is_stale_ = false;
  return changed;
}

}  // namespace resident
