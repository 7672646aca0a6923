// Rows about history: divergence of HEAD and another branch, HEAD's nearest tag, single objects of
// a pack.
#include <sstream>

#include "bench/core.h"
#include "bench/json.h"
#include "bench/load_state.h"
#include "bench/samples.h"
#include "fs/linux/posix_file_system.h"
#include "history/describe.h"
#include "odb/ahead_behind.h"
#include "repository/repository.h"

namespace resident::bench {

Result<std::string> core_ahead_behind(const std::string& worktree, const std::string& branch,
                                      int runs) {
  RESIDENT_TRY(const Repository repository, discover(worktree));
  Samples times;
  AheadBehind counted;
  for (int run = 0; run < runs; ++run) {
    // Each run starts with nothing read, like a new git process.
    RESIDENT_TRY(const auto state, load_state(repository));
    RESIDENT_TRY(const auto theirs, state->refs().resolve("refs/heads/" + branch));
    if (!theirs || !state->head().id) return Error{ErrorCode::kNotFound, branch + ": no branch"};
    StoredCommitReader reader(state->objects(), {});
    const Clock clock;
    AheadBehindWalk walk(reader, *state->head().id, *theirs);
    RESIDENT_TRY(const std::optional<AheadBehind> said, walk.step({}));
    times.push_back(clock.elapsed());
    counted = *said;
  }
  return JsonObject()
      .add("ns", times)
      .add("ahead", static_cast<int64_t>(counted.ahead))
      .add("behind", static_cast<int64_t>(counted.behind))
      .text();
}

Result<std::string> core_describe(const std::string& worktree, int runs) {
  RESIDENT_TRY(const Repository repository, discover(worktree));
  Samples times;
  Description found;
  for (int run = 0; run < runs; ++run) {
    RESIDENT_TRY(const auto state, load_state(repository));
    if (!state->head().id) return Error{ErrorCode::kNotFound, "no commit"};
    DescribeOptions options;
    options.stops_at_last_candidate = state->git_rules().describe_stops_at_last_candidate;
    const Clock clock;
    TagNames tags;
    RESIDENT_CHECK(tags.load(state->refs(), state->objects()));
    RESIDENT_TRY(const auto describe,
                 Describe::begin(*state->head().id, tags, options, state->objects(),
                                 posix_file_system(), repository.common_dir));
    RESIDENT_TRY(const std::optional<Description> said, describe->step({}));
    times.push_back(clock.elapsed());
    if (!said || said->tag.empty()) return Error{ErrorCode::kNotFound, "no tag leads to HEAD"};
    found = *said;
  }
  return JsonObject()
      .add("ns", times)
      .add("tag", found.tag)
      .add("depth", static_cast<int64_t>(found.depth))
      .text();
}

Result<std::string> core_objects(const std::string& worktree, const std::string& ids, int runs) {
  RESIDENT_TRY(const Repository repository, discover(worktree));
  RESIDENT_TRY(const auto state, load_state(repository));
  std::vector<ObjectId> wanted;
  std::istringstream words(ids);
  for (std::string word; std::getline(words, word, ',');) {
    const std::optional<ObjectId> id = ObjectId::from_hex(word);
    if (!id) return Error{ErrorCode::kInvalid, word + " is no id"};
    wanted.push_back(*id);
  }
  Samples times;
  size_t bytes = 0;
  // The first run reads from the disk, and is reported separately.
  for (int run = 0; run <= runs; ++run) {
    bytes = 0;
    const Clock clock;
    for (const ObjectId& id : wanted) {
      RESIDENT_TRY(const Object object, state->objects().read(id));
      bytes += object.content.size();
    }
    times.push_back(clock.elapsed());
  }
  return JsonObject()
      .add("firstNs", times.front())
      .add("ns", Samples(times.begin() + 1, times.end()))
      .add("bytes", static_cast<int64_t>(bytes))
      .text();
}

}  // namespace resident::bench
