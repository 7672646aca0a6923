#include "cli/resident_client.h"

namespace resident {

Result<StatusResult> ask_resident(const Repository& repository, const StatusQuery&) {
  return Error{ErrorCode::kNotFound,
               repository.worktree + ": no process keeps this worktree (git-resident serve)"};
}

}  // namespace resident
