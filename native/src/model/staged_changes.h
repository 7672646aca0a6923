// StagedChanges: keeps the comparison of HEAD with the index.
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
  // True if no attributes file changed that decides rename similarity and changes without an event.
  // These files are in directories that only HEAD has.
  bool knows_attributes(FileSystem& fs) const;
  // Takes the comparison of HEAD with the view's index. The comparison has no sparse directories
  // left. Counts up versions.staged.
  Result<void> take(const ModelView& view, InputVersions& versions, TreeIndexDiff diff);

  // Changes without rename detection, by path.
  const std::vector<PathChange>& raw() const { return raw_; }
  const std::vector<UnmergedPath>& unmerged() const { return unmerged_; }
  // Changes with renames as configured.
  const std::map<std::string, PathChange>& renamed() const { return renamed_; }
  // Directories that HEAD has and the index does not, each ending in '/'. Not limited by a
  // pathspec.
  const std::vector<std::string>& removed_directories() const { return removed_directories_; }
  // True if git would print a warning during its search for renames.
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
