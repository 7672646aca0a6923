#include "model/rename_detection.h"

#include <algorithm>
#include <utility>

#include "diff/rename_config.h"
#include "diff/renames.h"
#include "object/tree.h"
#include "status/stat_match.h"

namespace resident {

namespace {

RenameOptions rename_options(const Config& config, const GitRules& rules,
                             const StatusQuery& query) {
  RenameOptions options;
  options.counts_incomplete_chunk = rules.counts_incomplete_chunk;
  options.prefers_unique_basenames = rules.prefers_unique_basenames;
  options.mode = query.renames.value_or(configured_renames(config));
  options.minimum_score = query.rename_score.value_or(0);
  options.limit = configured_rename_limit(config).value_or(rules.default_rename_limit);
  return options;
}

// What git would store of a file of the worktree.
Result<std::string> stored_content(const ModelView& view, const std::string& path,
                                   bool& git_warns) {
  RESIDENT_TRY(Directory root, view.fs.open_directory(view.repository.worktree));
  RESIDENT_TRY(FileStat stat, view.fs.stat_at(root, path));
  const auto position = view.index.find_path(path);
  const ObjectId in_index =
      position ? view.index.id(*position) : ObjectId::null(view.repository.algorithm);
  RESIDENT_TRY(FileContent::Stored stored, view.content.read({root, path}, stat, in_index));
  // Here git warns of line ends that would not come back as they are.
  git_warns |= stored.git_warns || stored.converted;
  return std::move(stored.content);
}

// git compares the file in the worktree instead, where it holds what the index says.
Result<void> check_not_replaced(const ModelView& view, const ObjectId& id,
                                const std::string& path) {
  if (!view.state.objects().is_replaced(id)) return {};
  return Error{ErrorCode::kUnsupported, path + ": the content comes from a replace ref"};
}

// git takes what is stored from the worktree, where stat data say that it has the same without a
// conversion; so it reads the attributes of either side. Where they say so and may be wrong, what
// stands there; nullopt: what is stored.
//
// Source: git's diff.c (reuse_worktree_file).
std::optional<std::string> believed_content(const ModelView& view, const ObjectId& id,
                                            const std::string& path) {
  const auto position = view.index.find_path(path);
  if (!position || view.index.id(*position) != id) return std::nullopt;
  const IndexEntry& entry = view.index.entries()[*position];
  if (entry.mode != kModeRegular && entry.mode != kModeExecutable) return std::nullopt;
  if (entry.stage() != 0 || entry.assume_valid() || entry.skip_worktree()) return std::nullopt;
  Result<FileStat> stat = view.fs.lstat(view.absolute(path));
  if (!stat.ok() ||
      !is_rewritten_within_second(entry, *stat, view.index.mtime(), view.state.settings())) {
    return std::nullopt;
  }
  Result<Directory> root = view.fs.open_directory(view.repository.worktree);
  if (!root.ok()) return std::nullopt;
  Result<FileContent::Stored> stored = view.content.read({*root, path}, *stat, id);
  if (!stored.ok() || stored->converted) return std::nullopt;
  return std::move(stored->content);
}

ContentSource content_source(const ModelView& view, bool& git_warns) {
  ContentSource source;
  source.read = [&](const ObjectId& id, const std::string& path) -> Result<std::string> {
    git_warns |= view.content.attributes_warn_of(path);
    if (id.is_null()) return stored_content(view, path, git_warns);
    RESIDENT_CHECK(check_not_replaced(view, id, path));
    if (auto content = believed_content(view, id, path)) return *std::move(content);
    return view.state.objects().read_blob(id);
  };
  source.is_binary = [&](const std::string& path) {
    return view.content.is_binary(path, view.state.config());
  };
  source.size = [&](const ObjectId& id, const std::string& path) -> Result<uint64_t> {
    git_warns |= view.content.attributes_warn_of(path);
    if (id.is_null()) {
      RESIDENT_TRY(FileStat stat, view.fs.lstat(view.absolute(path)));
      return stat.size;
    }
    RESIDENT_CHECK(check_not_replaced(view, id, path));
    RESIDENT_TRY(ObjectInfo info, view.state.objects().read_info(id));
    return info.size;
  };
  return source;
}

}  // namespace

Result<std::vector<PathChange>> with_renames(const ModelView& view, std::vector<PathChange> changes,
                                             std::span<const UnmergedPath> unmerged,
                                             const StatusQuery& query, bool& git_warns) {
  const RenameOptions options = rename_options(view.state.config(), view.state.git_rules(), query);
  // An unmerged path with a file uses up the source of a rename like an addition.
  const bool has_destinations =
      std::any_of(unmerged.begin(), unmerged.end(),
                  [](const UnmergedPath& path) { return path.after.mode != 0; }) ||
      std::any_of(changes.begin(), changes.end(),
                  [](const PathChange& change) { return change.change == Change::kAdded; });
  if (options.mode == RenameMode::kOff || !has_destinations) return changes;
  RESIDENT_TRY(RenameResult result, detect_renames(std::move(changes), unmerged, options,
                                                   content_source(view, git_warns)));
  return std::move(result.changes);
}

}  // namespace resident
