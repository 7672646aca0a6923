#include "diff/rename_candidates.h"

#include "base/path_parts.h"
#include "hash/hasher.h"
#include "object/tree.h"

namespace resident {

std::string_view RenameFile::basename() const {
  return base_name(*path_);
}

bool RenameFile::is_regular() const {
  return (side_->mode & kModeTypeMask) == (kModeRegular & kModeTypeMask);
}

Result<std::optional<std::string>> RenameFile::read(const ContentSource& source,
                                                    RenameResult::Work& work) {
  ++work.contents_read;
  Result<std::string> content = source.read(side_->id, *path_);
  if (content.ok()) return std::optional(*std::move(content));
  const bool only_git = content.error().code == ErrorCode::kUnsupported;
  if (only_git || !side_->id.is_null()) return std::move(content).error();
  unreadable_ = true;
  return std::optional<std::string>();
}

void RenameFile::remember(std::string_view content, const RenameOptions& options,
                          const ContentSource& source) {
  size_ = content.size();
  std::optional<bool> binary = source.is_binary ? source.is_binary(*path_) : std::nullopt;
  profile_.emplace(content, ProfileRules{!binary.value_or(looks_binary(content)),
                                         options.counts_incomplete_chunk});
}

Result<ObjectId> RenameFile::id(const RenameOptions& options, const ContentSource& source,
                                RenameResult::Work& work) {
  if (!side_->id.is_null()) return side_->id;
  RESIDENT_TRY(std::optional<std::string> content, read(source, work));
  if (!content) return side_->id;
  remember(*content, options, source);
  return hash_object(side_->id.algorithm(), "blob", as_bytes(*content));
}

Result<bool> RenameFile::load_size(const RenameOptions& options, const ContentSource& source,
                                   RenameResult::Work& work) {
  if (size_) return true;
  if (!source.size || side_->id.is_null()) return load_profile(options, source, work);
  RESIDENT_TRY(size_, source.size(side_->id, *path_));
  return true;
}

Result<bool> RenameFile::load_profile(const RenameOptions& options, const ContentSource& source,
                                      RenameResult::Work& work) {
  if (profile_) return true;
  if (unreadable_) return false;
  RESIDENT_TRY(std::optional<std::string> content, read(source, work));
  if (!content) return false;
  remember(*content, options, source);
  return true;
}

Result<int> RenameFile::similarity(RenameFile& from, RenameFile& to, int minimum_score,
                                   const RenameOptions& options, const ContentSource& source,
                                   RenameResult::Work& work) {
  // Symbolic links and submodules match only with identical content.
  if (!from.is_regular() || !to.is_regular()) return 0;
  for (RenameFile* file : {&from, &to}) {
    RESIDENT_TRY(bool readable, file->load_size(options, source, work));
    if (!readable) return 0;
  }
  if (sizes_rule_out(*from.size_, *to.size_, minimum_score)) return 0;
  for (RenameFile* file : {&from, &to}) {
    RESIDENT_TRY(bool readable, file->load_profile(options, source, work));
    if (!readable) return 0;
  }
  ++work.pairs_compared;
  return similarity_score(*from.profile_, *to.profile_);
}

RenameCandidates collect_rename_candidates(std::span<const PathChange> changes,
                                           std::span<const UnmergedPath> unmerged, bool copies) {
  RenameCandidates found;
  auto add_source = [&](const std::string& path, const Side& side, int users) {
    found.sources.push_back({RenameFile(path, side), users});
    return static_cast<int>(found.sources.size() - 1);
  };
  auto add_destination = [&](const std::string& path, const Side& side) {
    found.destinations.push_back({RenameFile(path, side)});
    return static_cast<int>(found.destinations.size() - 1);
  };
  size_t next = 0;
  auto add_unmerged_before = [&](const std::string* path) {
    for (; next < unmerged.size() && (!path || unmerged[next].path <= *path); ++next) {
      const UnmergedPath& u = unmerged[next];
      if (u.before.mode != 0) {
        if (copies) add_source(u.path, u.before, 1);
      } else if (u.after.mode != 0) {
        add_destination(u.path, u.after);
      }
    }
  };
  for (const PathChange& change : changes) {
    add_unmerged_before(&change.path);
    int source = -1;
    int destination = -1;
    if (change.change == Change::kAdded) {
      destination = add_destination(change.path, change.after);
    } else if (change.change == Change::kDeleted) {
      source = add_source(change.path, change.before, 0);
    } else if (copies) {
      source = add_source(change.path, change.before, 1);
    }
    found.source_of_change.push_back(source);
    found.destination_of_change.push_back(destination);
  }
  add_unmerged_before(nullptr);
  return found;
}

}  // namespace resident
