// The two sides of rename detection before anything is matched: what a file may come from, and what
// may come from somewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "diff/path_change.h"
#include "diff/renames.h"
#include "diff/similarity.h"

namespace resident {

// One file's content, read at most once and kept as a profile only. Refers to the path and side it
// is given, which must outlive it.
class RenameFile {
 public:
  RenameFile(const std::string& path, const Side& side) : path_(&path), side_(&side) {}

  const std::string& path() const { return *path_; }
  const Side& side() const { return *side_; }
  std::string_view basename() const;
  bool is_regular() const;

  // The id, computed where the side has none; the null id where that file cannot be read.
  Result<ObjectId> id(const RenameOptions& options, const ContentSource& source,
                      RenameResult::Work& work);
  // 0..kMaxScore, 0 where sizes, types or an unreadable file rule a match out.
  static Result<int> similarity(RenameFile& from, RenameFile& to, int minimum_score,
                                const RenameOptions& options, const ContentSource& source,
                                RenameResult::Work& work);

 private:
  Result<bool> load_size(const RenameOptions& options, const ContentSource& source,
                         RenameResult::Work& work);
  Result<bool> load_profile(const RenameOptions& options, const ContentSource& source,
                            RenameResult::Work& work);
  // nullopt for a worktree file that cannot be read.
  Result<std::optional<std::string>> read(const ContentSource& source, RenameResult::Work& work);
  void remember(std::string_view content, const RenameOptions& options,
                const ContentSource& source);

  const std::string* path_;
  const Side* side_;
  bool unreadable_ = false;
  std::optional<uint64_t> size_;
  std::optional<ContentProfile> profile_;
};

struct RenameSource {
  RenameFile file;
  // Who uses this content: each rename and copy, and the file itself where it stays.
  int users = 0;
};

struct RenameDestination {
  RenameFile file;
  int source = -1;  // position of its source
  int score = 0;
};

struct RenameCandidates {
  std::vector<RenameSource> sources;
  std::vector<RenameDestination> destinations;
  // Per change, its position in the list above that it is in; unmerged paths are in no change.
  std::vector<int> source_of_change;
  std::vector<int> destination_of_change;
};

// Refers into `changes` and `unmerged`.
RenameCandidates collect_rename_candidates(std::span<const PathChange> changes,
                                           std::span<const UnmergedPath> unmerged, bool copies);

}  // namespace resident
