// StagedChanges: HEAD against the index, kept.
//
// Threads: the model's owner.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diff/tree_index_diff.h"
#include "model/model_view.h"
#include "status/status.h"

namespace resident {

class StagedChanges {
 public:
  bool is_current(const InputVersions& versions) const { return made_from_ == counts(versions); }
  // No attributes file that says what a file resembles is another one, of those of which nothing
  // else tells: in directories that HEAD has and the index has not.
  bool knows_attributes(FileSystem& fs) const;
  // What the comparison of HEAD with the view's index found, none of it sparse. Counts as
  // causes.staged.
  Result<void> take(const ModelView& view, InputVersions& versions, TreeIndexDiff diff);

  // Without renames, by path.
  const std::vector<PathChange>& raw() const { return raw_; }
  const std::vector<UnmergedPath>& unmerged() const { return unmerged_; }
  // With renames as configured.
  const std::map<std::string, PathChange>& renamed() const { return renamed_; }
  // Those that HEAD has and the index has not, each ending in '/'; whatever is asked.
  const std::vector<std::string>& removed_directories() const { return removed_directories_; }
  // git says something while it looks for renames.
  bool git_warns() const { return git_warns_; }

 private:
  using Counts = std::array<uint64_t, 7>;
  static Counts counts(const InputVersions& versions) {
    return {versions.index,          versions.head,      versions.config, versions.attributes,
            versions.own_attributes, versions.rewritten, versions.scan};
  }

  std::vector<PathChange> raw_;
  std::vector<UnmergedPath> unmerged_;
  std::map<std::string, PathChange> renamed_;
  std::vector<std::string> removed_directories_;
  bool git_warns_ = false;
  std::vector<FileContent::AttributesLook> attributes_outside_index_;
  std::optional<Counts> made_from_;
};

}  // namespace resident
