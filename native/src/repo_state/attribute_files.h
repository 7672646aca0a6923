// AttributeFiles: the attributes outside of the tree.
//
// Threads: one owner.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repo_state/current_config.h"
#include "repo_state/file_texts.h"

namespace resident {

class AttributeFiles {
 public:
  // All parameters must outlive this object; `gate` may be null. `config` is loaded first.
  AttributeFiles(FileSystem& fs, const Repository& repository, MetadataGate* gate,
                 const CurrentConfig& config)
      : repository_(repository), config_(config), texts_(fs, gate) {}

  // Both return true if a text has changed, or whether all files are readable.
  bool load();
  bool refresh(bool config_changed) { return (config_changed || texts_.changed()) && load(); }

  // The texts of info/attributes, of core.attributesFile, and of the system's attributes file.
  const std::optional<std::string>& info() const { return texts_.texts()[0]; }
  const std::optional<std::string>& user() const { return texts_.texts()[1]; }
  const std::optional<std::string>& system() const { return texts_.texts()[2]; }
  bool are_unreadable() const { return texts_.are_unreadable(); }
  const std::vector<std::string>& files() const { return texts_.files(); }

 private:
  const Repository& repository_;
  const CurrentConfig& config_;
  FileTexts texts_;
};

}  // namespace resident
