// Rows of the resident model: first answer, no changes, rescan, edits, git add.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "bench/core.h"
#include "bench/index_floor.h"
#include "bench/json.h"
#include "bench/kept_model.h"
#include "bench/samples.h"
#include "bench/worktree_edits.h"
#include "git/git_command.h"

namespace resident::bench {

namespace {

// Number of questions in one sample, so that the clock's own cost does not count. The sample is
// their mean.
constexpr int kQuestionsAtOnce = 100;

Error not_right(const std::string& what) {
  return Error{ErrorCode::kCorrupt, "the answer is not what was measured for: " + what};
}

// The first line of git's output.
Result<std::string> output_of_git(const std::string& worktree,
                                  const std::vector<std::string>& arguments) {
  RESIDENT_TRY(const GitOutput output, run_git(arguments, {.cwd = worktree}));
  if (output.exit_code == 0) return output.out.substr(0, output.out.find('\n'));
  return Error{ErrorCode::kIo, "git " + arguments[0] + ": " + git_message(output)};
}

// Asks that many questions while nothing changes.
Result<Samples> ask_idly(KeptModel& kept, int questions) {
  Samples times;
  for (int asked = 0; asked < questions; asked += kQuestionsAtOnce) {
    const Clock clock;
    for (int i = 0; i < kQuestionsAtOnce; ++i) RESIDENT_CHECK(kept.answer());
    times.push_back(clock.elapsed() / kQuestionsAtOnce);
  }
  return times;
}

}  // namespace

Result<std::string> core_resident(const std::string& worktree, unsigned threads, int rescans,
                                  int idle) {
  const Clock whole;
  RESIDENT_TRY(KeptModel kept, KeptModel::open(worktree, threads));
  RESIDENT_CHECK(kept.model().scan());
  RESIDENT_CHECK(kept.answer());
  const int64_t first = whole.elapsed();
  const ProcessMemory after_first = memory_of("self");

  RESIDENT_TRY(const Samples idle_times, ask_idly(kept, idle));
  Samples rescan_times;
  for (int i = 0; i < rescans; ++i) {
    const Clock clock;
    RESIDENT_CHECK(kept.model().scan());
    rescan_times.push_back(clock.elapsed());
  }
  const ProcessMemory after_rescans = memory_of("self");
  return JsonObject()
      .add("ns", Samples{first})
      .add("idleNs", idle_times)
      .add("rescanNs", rescan_times)
      .add("residentKb", after_first.resident_kb)
      .add("peakKb", after_first.peak_kb)
      .add("rescannedKb", after_rescans.resident_kb)
      .add("rescannedPeakKb", after_rescans.peak_kb)
      .text();
}

Result<std::string> core_refs(const std::string& worktree, unsigned threads, int idle, int moves) {
  RESIDENT_TRY(const std::string before, output_of_git(worktree, {"rev-parse", "HEAD"}));
  RESIDENT_TRY(const std::string after, output_of_git(worktree, {"commit-tree", "-p", "HEAD", "-m",
                                                                 "moved", "HEAD^{tree}"}));
  RESIDENT_TRY(KeptModel kept, KeptModel::open(worktree, threads));
  RESIDENT_CHECK(kept.model().scan());
  RESIDENT_CHECK(kept.answer());
  RESIDENT_TRY(const Samples idle_times, ask_idly(kept, idle));
  Samples times;
  for (int i = 0; i < moves; ++i) {
    for (const std::string& id : {after, before}) {
      RESIDENT_CHECK(output_of_git(worktree, {"update-ref", "HEAD", id}));
      const Clock clock;
      StatusQuery query;
      query.branch = true;
      RESIDENT_TRY(const StatusResult status, kept.model().answer(query));
      times.push_back(clock.elapsed());
      if (!status.branch || status.branch->head.hex() != id) return not_right("the branch");
    }
  }
  return JsonObject().add("idleNs", idle_times).add("ns", times).text();
}

Result<std::string> core_edits(const std::string& worktree, unsigned threads, int count, int runs) {
  RESIDENT_TRY(WorktreeEdits edits, WorktreeEdits::open(worktree));
  RESIDENT_TRY(std::shared_ptr<const Index> index, Index::load(worktree + "/.git/index", {}));
  std::vector<std::vector<std::string>> paths_of_runs;
  for (int run = 0; run < runs; ++run) {
    paths_of_runs.push_back(
        edits.choose(*index, static_cast<size_t>(count), static_cast<size_t>(run) * 7));
  }
  // The model has its own index; only the model's memory is measured.
  index.reset();
  RESIDENT_TRY(KeptModel kept, KeptModel::open(worktree, threads));
  RESIDENT_CHECK(kept.model().scan());
  RESIDENT_TRY(const StatusResult before, kept.answer());
  if (!before.changed.empty()) return not_right("the worktree has changes already");

  Samples times;
  Samples undone;
  int64_t edited = 0;
  for (std::vector<std::string>& paths : paths_of_runs) {
    edited = static_cast<int64_t>(paths.size());
    RESIDENT_CHECK(edits.apply(std::move(paths)));
    Clock clock;
    const Result<StatusResult> after = kept.answer();
    times.push_back(clock.elapsed());
    RESIDENT_CHECK(edits.undo());
    if (!after.ok()) return after.error();
    if (std::cmp_not_equal(after->changed.size(), edited)) return not_right("edits are missing");
    clock.lap();
    RESIDENT_TRY(const StatusResult again, kept.answer());
    undone.push_back(clock.elapsed());
    if (!again.changed.empty()) return not_right("edits that were taken back");
  }
  return JsonObject()
      .add("ns", times)
      .add("undoneNs", undone)
      .add("edits", edited)
      .add("residentKb", memory_of("self").resident_kb)
      .text();
}

Result<std::string> core_add(const std::string& worktree, unsigned threads, int runs) {
  const std::string index_path = worktree + "/.git/index";
  RESIDENT_TRY(WorktreeEdits edits, WorktreeEdits::open(worktree));
  RESIDENT_TRY(const std::shared_ptr<const Index> index, Index::load(index_path, {}));
  RESIDENT_TRY(KeptModel kept, KeptModel::open(worktree, threads));
  RESIDENT_CHECK(kept.model().scan());
  RESIDENT_CHECK(kept.answer());

  struct {
    Samples answers, floors;
  } edited, added;
  Samples loads;
  IndexFloor floor;
  // Call it after git has written a new index.
  const auto measure = [&](auto& samples, size_t rows) -> Result<void> {
    Clock clock;
    RESIDENT_TRY(const StatusResult after, kept.answer());
    samples.answers.push_back(clock.elapsed());
    if (after.changed.size() != rows) return not_right("git add");
    clock.lap();
    RESIDENT_TRY(const auto loaded, Index::load(index_path, {.verify_checksum = false}));
    loads.push_back(clock.lap());
    RESIDENT_CHECK(floor.load(index_path));
    samples.floors.push_back(clock.elapsed());
    return {};
  };
  const std::vector<std::string> paths = edits.choose(*index, static_cast<size_t>(runs), 3);
  // Adds each file edited, then restored: two samples a run, and HEAD's content at the end.
  for (const std::string& path : paths) {
    for (const bool is_edited : {true, false}) {
      RESIDENT_CHECK(is_edited ? edits.apply({path}) : edits.undo());
      RESIDENT_CHECK(kept.answer());
      RESIDENT_CHECK(output_of_git(worktree, {"add", "--", path}));
      RESIDENT_CHECK(measure(edited, is_edited ? 1 : 0));
    }
  }
  // Creates, adds and removes a new file beside each.
  for (const std::string& path : paths) {
    const std::string beside = path + ".new";
    const UniqueFd created(
        ::openat(edits.root(), beside.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (!created.valid()) return error_from_errno(errno, beside);
    RESIDENT_CHECK(kept.answer());
    RESIDENT_CHECK(output_of_git(worktree, {"add", "--", beside}));
    RESIDENT_CHECK(measure(added, 1));
    RESIDENT_CHECK(output_of_git(worktree, {"rm", "-q", "--cached", "--", beside}));
    RESIDENT_CHECK(measure(added, 0));
    if (::unlinkat(edits.root(), beside.c_str(), 0) != 0) return error_from_errno(errno, beside);
    RESIDENT_CHECK(kept.answer());
  }
  return JsonObject()
      .add("ns", edited.answers)
      .add("floorNs", edited.floors)
      .add("newNs", added.answers)
      .add("newFloorNs", added.floors)
      .add("loadNs", loads)
      .text();
}

}  // namespace resident::bench
