// GatedFiles: the files that a gate watches for one model. Files that are no longer needed are
// released.
//
// Threads: the model's owner.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "repo_state/metadata_gate.h"

namespace resident {

class GatedFiles {
 public:
  // `gate` null: update() does nothing.
  explicit GatedFiles(MetadataGate* gate) : gate_(gate) {}

  // Call it after each update. It costs nothing without a new event. `find` returns the needed
  // files, sorted.
  void update(const std::function<std::vector<std::string>()>& find);
  // The needed files may have changed without an event.
  void outdate() { generation_ = 0; }

 private:
  MetadataGate* const gate_;
  std::vector<std::string> files_;
  uint64_t generation_ = 0;  // the gate's, at the last comparison
};

}  // namespace resident
