#include "repo_state/sparse_patterns.h"

namespace resident {

bool SparsePatterns::load() {
  const bool were_unreadable = are_unreadable();
  const bool changed = texts_.read({repository_.git_dir + "/info/sparse-checkout"});
  return changed || were_unreadable != are_unreadable();
}

bool SparsePatterns::are_in_cone_mode() const {
  const Config& config = config_.get();
  return config.get_bool("core.sparsecheckout", false) &&
         config.get_bool("core.sparsecheckoutcone", false);
}

std::shared_ptr<const SparseCone> SparsePatterns::cone() const {
  return are_in_cone_mode() && text() ? SparseCone::parse(*text(), config_.settings().ignore_case)
                                      : nullptr;
}

bool SparsePatterns::are_no_cones() const {
  return are_in_cone_mode() && text() && !cone();
}

bool SparsePatterns::fold_index() const {
  return config_.get().get_bool("index.sparse", false) && are_in_cone_mode();
}

}  // namespace resident
