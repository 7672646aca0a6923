#include "repo_state/gated_files.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace resident {

void GatedFiles::update(const std::function<std::vector<std::string>()>& find) {
  if (!gate_ || gate_->generation() == generation_) return;
  std::vector<std::string> files = find();
  if (files != files_) {
    std::vector<std::string> gone;
    std::set_difference(files_.begin(), files_.end(), files.begin(), files.end(),
                        std::back_inserter(gone));
    files_ = std::move(files);
    gate_->release(gone);
  }
  // Whoever waits for an event gets one even of what was read again just now, or not at all.
  (void)gate_->cover(files_);
  generation_ = gate_->generation();
}

}  // namespace resident
