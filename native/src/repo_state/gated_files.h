// GatedFiles: the files that a gate watches for one model, let go when they count no more.
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
  // `gate` null: nothing is done.
  explicit GatedFiles(MetadataGate* gate) : gate_(gate) {}

  // After each update: costs nothing unless an event came since. `find` tells the files that count
  // now, sorted.
  void update(const std::function<std::vector<std::string>()>& find);
  // Other files may count though no event came.
  void outdate() { generation_ = 0; }

 private:
  MetadataGate* const gate_;
  std::vector<std::string> files_;
  uint64_t generation_ = 0;  // of the gate, when they were compared last
};

}  // namespace resident
