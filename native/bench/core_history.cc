// Rows about history: how far HEAD and another branch have diverged.
#include "bench/core.h"
#include "bench/json.h"
#include "bench/samples.h"
#include "fs/posix_file_system.h"
#include "model/repository_state.h"
#include "odb/ahead_behind.h"
#include "repository/repository.h"

namespace resident::bench {

Result<std::string> core_ahead_behind(const std::string& worktree, const std::string& branch,
                                      int runs) {
  RESIDENT_TRY(const Repository repository, discover(worktree));
  Samples times;
  AheadBehind counted;
  for (int run = 0; run < runs; ++run) {
    // Each with nothing read yet, as a git has it that starts.
    RESIDENT_TRY(const auto state, RepositoryState::load(posix_file_system(), repository));
    RESIDENT_TRY(const auto theirs, state->refs().resolve("refs/heads/" + branch));
    if (!theirs || !state->head().id) return Error{ErrorCode::kNotFound, branch + ": no branch"};
    StoredCommitReader reader(state->objects(), {});
    const Clock clock;
    RESIDENT_TRY(counted, count_ahead_behind(reader, *state->head().id, *theirs));
    times.push_back(clock.elapsed());
  }
  return JsonObject()
      .add("ns", times)
      .add("ahead", static_cast<int64_t>(counted.ahead))
      .add("behind", static_cast<int64_t>(counted.behind))
      .text();
}

}  // namespace resident::bench
