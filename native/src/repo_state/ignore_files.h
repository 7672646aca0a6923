// IgnoreFiles: the ignore rules outside of the tree, from info/exclude and core.excludesFile.
//
// Threads: one owner.
#pragma once

#include <string>
#include <vector>

#include "repo_state/current_config.h"
#include "repo_state/file_texts.h"
#include "status/exclude_rules.h"

namespace resident {

class IgnoreFiles {
 public:
  // All parameters must outlive this object; `gate` may be null. `config` is loaded first.
  IgnoreFiles(FileSystem& fs, const Repository& repository, MetadataGate* gate,
              const CurrentConfig& config)
      : repository_(repository), config_(config), texts_(fs, gate) {}

  // Both return true if a rule has changed.
  bool load();
  bool refresh(bool config_changed) { return (config_changed || texts_.changed()) && load(); }

  const ExcludeRules& rules() const { return rules_; }
  bool are_unreadable() const { return texts_.are_unreadable(); }
  const std::vector<std::string>& files() const { return texts_.files(); }

 private:
  const Repository& repository_;
  const CurrentConfig& config_;
  FileTexts texts_;
  ExcludeRules rules_;
};

}  // namespace resident
