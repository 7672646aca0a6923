// The input of rename detection: the files that can be sources, and the files that can be
// destinations.
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

// The content of one file. It is read at most once and kept only as a profile. `path` and `side`
// must outlive it.
class RenameFile {
 public:
  RenameFile(const std::string& path, const Side& side) : path_(&path), side_(&side) {}

  const std::string& path() const { return *path_; }
  const Side& side() const { return *side_; }
  std::string_view basename() const;
  bool is_regular() const;

  // The id; computed if the side has none. Null: the worktree file cannot be read.
  Result<ObjectId> id(const RenameOptions& options, const ContentSource& source,
                      RenameResult::Work& work);
  // 0 to kMaxScore. 0: the sizes, the types or an unreadable file exclude a match.
  static Result<int> similarity(RenameFile& from, RenameFile& to, int minimum_score,
                                const RenameOptions& options, const ContentSource& source,
                                RenameResult::Work& work);

 private:
  Result<bool> load_size(const RenameOptions& options, const ContentSource& source,
                         RenameResult::Work& work);
  Result<bool> load_profile(const RenameOptions& options, const ContentSource& source,
                            RenameResult::Work& work);
  // nullopt: the worktree file cannot be read.
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
  // Number of users of this content: each rename and copy, and the file itself if it still exists.
  int users = 0;
};

struct RenameDestination {
  RenameFile file;
  int source = -1;  // index into sources; -1: none
  int score = 0;
};

struct RenameCandidates {
  std::vector<RenameSource> sources;
  std::vector<RenameDestination> destinations;
  // For each change, its index into `sources` or `destinations`; -1: none. Unmerged paths have no
  // change.
  std::vector<int> source_of_change;
  std::vector<int> destination_of_change;
};

// The result refers to `changes` and `unmerged`.
RenameCandidates collect_rename_candidates(std::span<const PathChange> changes,
                                           std::span<const UnmergedPath> unmerged, bool copies);

}  // namespace resident
