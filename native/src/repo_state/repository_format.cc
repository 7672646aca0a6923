#include "repo_state/repository_format.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace resident {

Result<void> check_format(FileSystem& fs, const Config& config, const Repository& repository) {
  const std::string& worktree = repository.worktree;
  constexpr std::string_view kExtensions[] = {"noop",         "noop-v1",          "preciousobjects",
                                              "partialclone", "worktreeconfig",   "objectformat",
                                              "refstorage",   "relativeworktrees"};
  const std::string file = repository.common_dir + "/config";
  const bool has_local =
      std::any_of(config.entries().begin(), config.entries().end(), [](const ConfigEntry& entry) {
        return entry.scope == ConfigScope::kLocal || entry.scope == ConfigScope::kWorktree;
      });
  // `git config` passes over a repository that git status would refuse.
  if (Result<FileStat> stat = fs.stat(file); !has_local && stat.ok() && stat->size > 0) {
    return Error{ErrorCode::kUnsupported, file + ": git does not accept this repository"};
  }
  const int64_t version = config.get_int("core.repositoryformatversion").value_or(0);
  if (version < 0 || version > 1) {
    return Error{ErrorCode::kUnsupported,
                 worktree + ": core.repositoryFormatVersion is " + std::to_string(version)};
  }
  // git reads all of it in the format that the config names now.
  const bool is_sha256 = repository.algorithm == HashAlgorithm::kSha256;
  const bool names_sha256 =
      version == 1 && config.get("extensions.objectformat").value_or("sha1") == "sha256";
  if (is_sha256 != names_sha256) {
    return Error{ErrorCode::kUnsupported, worktree + ": extensions.objectFormat has changed"};
  }
  for (const ConfigEntry& entry : config.entries()) {
    // git says so of each, wherever it looks one up.
    if (entry.key.find('.') == std::string::npos) {
      return Error{ErrorCode::kUnsupported,
                   worktree + ": the config variable " + entry.key + " is in no section"};
    }
    if (version == 0 || !entry.key.starts_with("extensions.")) continue;
    const std::string_view name = std::string_view(entry.key).substr(11);
    if (std::find(std::begin(kExtensions), std::end(kExtensions), name) == std::end(kExtensions)) {
      return Error{ErrorCode::kUnsupported, worktree + ": " + entry.key + " is set"};
    }
  }
  return {};
}

Result<RefStorage> ref_storage_from(const Config& config, const Repository& repository) {
  if (std::getenv("GIT_REFERENCE_BACKEND")) {
    return Error{ErrorCode::kUnsupported, repository.worktree + ": GIT_REFERENCE_BACKEND is set"};
  }
  RefStorage storage = RefStorage::kFiles;
  for (const ConfigEntry& entry : config.entries()) {
    if (entry.key != "extensions.refstorage" || entry.scope != ConfigScope::kLocal) continue;
    RESIDENT_TRY(storage, parse_ref_storage(entry.value.value_or("")));
    if (config.get_int("core.repositoryformatversion").value_or(0) < 1) {
      return Error{ErrorCode::kUnsupported,
                   repository.worktree + ": repository format 0 allows no extensions"};
    }
  }
  return storage;
}

bool is_head(std::string_view content) {
  constexpr std::string_view kSymbolic = "ref:";
  if (!content.starts_with(kSymbolic)) {
    const std::string_view id = content.substr(0, 2 * hash_size(HashAlgorithm::kSha1));
    return ObjectId::from_hex(id).has_value();
  }
  content.remove_prefix(kSymbolic.size());
  content.remove_prefix(std::min(content.find_first_not_of(" \t\n\r"), content.size()));
  return content.starts_with("refs/");
}

}  // namespace resident
