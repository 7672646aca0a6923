// SparsePatterns: the patterns of a sparse checkout, from info/sparse-checkout.
//
// Threads: one owner.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "repo_state/current_config.h"
#include "repo_state/file_texts.h"
#include "status/sparse_cone.h"

namespace resident {

class SparsePatterns {
 public:
  // All parameters must outlive this object; `gate` may be null. `config` is loaded first.
  SparsePatterns(FileSystem& fs, const Repository& repository, MetadataGate* gate,
                 const CurrentConfig& config)
      : repository_(repository), config_(config), texts_(fs, gate) {}

  // Both return true if the text has changed, or whether the file is readable.
  bool load();
  bool refresh(bool config_changed) { return (config_changed || texts_.changed()) && load(); }

  const std::optional<std::string>& text() const { return texts_.texts()[0]; }
  // Null without a sparse checkout in cone mode.
  std::shared_ptr<const SparseCone> cone() const;
  // True in cone mode with patterns that are not cones: git warns each time it reads them.
  bool are_no_cones() const;
  // True if git writes a sparse index. With GitRules::folds_index_on_reading, git then also makes a
  // full index sparse when it reads the index.
  bool fold_index() const;
  bool are_unreadable() const { return texts_.are_unreadable(); }
  const std::vector<std::string>& files() const { return texts_.files(); }

 private:
  bool are_in_cone_mode() const;

  const Repository& repository_;
  const CurrentConfig& config_;
  FileTexts texts_;
};

}  // namespace resident
