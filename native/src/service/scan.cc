#include "service/scan.h"

#include <thread>

#include "fs/posix_file_system.h"
#include "model/worktree_model.h"

namespace resident {

Result<StatusResult> scan_status(const Repository& repository, const Config& config,
                                 const StatusQuery& query) {
  WorktreeModel::Options options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.config = config;
  options.pathspec = query.pathspec;
  options.asks_git = false;
  WorktreeModel model(posix_file_system(), repository, options);
  RESIDENT_CHECK(model.scan());
  return model.answer_in_silence(query);
}

}  // namespace resident
