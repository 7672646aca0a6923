// Rows without watches: the index, HEAD against the index, a scan.
#include "bench/core.h"
#include "bench/json.h"
#include "bench/load_state.h"
#include "bench/samples.h"
#include "diff/tree_index_diff.h"
#include "fs/linux/posix_file_system.h"
#include "model/worktree_model.h"
#include "repository/repository.h"
#include "status/content.h"

namespace resident::bench {

namespace {

using LoadedIndex = std::shared_ptr<Index>;

Result<LoadedIndex> load_index(const Repository& repository) {
  return Index::load(
      repository.index_path,
      {.algorithm = repository.algorithm, .verify_checksum = false, .git_dir = repository.git_dir});
}

Result<TreeIndexDiff> compare(RepositoryState& state, const Index& index) {
  return diff_tree_index(state.head_tree(), index,
                         [&](const ObjectId& id) { return state.objects().read_tree(id); });
}

}  // namespace

Result<std::string> core_load(const std::string& index_path, int runs) {
  Samples plain;
  Samples verified;
  LoadedIndex index;
  for (int run = 0; run < runs; ++run) {
    index.reset();
    Clock clock;
    RESIDENT_TRY(index, Index::load(index_path, {.verify_checksum = false}));
    plain.push_back(clock.elapsed());
    index.reset();
    clock.lap();
    RESIDENT_TRY(index, Index::load(index_path, {.verify_checksum = true}));
    verified.push_back(clock.elapsed());
  }
  return JsonObject()
      .add("ns", plain)
      .add("verifiedNs", verified)
      .add("entries", static_cast<int64_t>(index->entries().size()))
      .add("directories", static_cast<int64_t>(index->directories().size()))
      .text();
}

Result<std::string> core_head(const std::string& worktree, int runs) {
  RESIDENT_TRY(const Repository repository, discover(worktree));
  RESIDENT_TRY(const auto state, load_state(repository));
  RESIDENT_TRY(const LoadedIndex index, load_index(repository));
  Samples times;
  TreeIndexDiff diff;
  for (int run = 0; run < runs; ++run) {
    const Clock clock;
    RESIDENT_TRY(diff, compare(*state, *index));
    times.push_back(clock.elapsed());
  }
  return JsonObject()
      .add("ns", times)
      .add("treesRead", static_cast<int64_t>(diff.work.trees_read))
      .add("changes", static_cast<int64_t>(diff.changes.size()))
      .text();
}

Result<std::string> core_scan(const std::string& worktree, unsigned threads) {
  FileSystem& fs = posix_file_system();
  const Clock whole;
  Clock step;
  RESIDENT_TRY(const Repository repository, discover(worktree));
  const int64_t discovering = step.lap();
  RESIDENT_TRY(const auto state, load_state(repository));
  const int64_t surroundings = step.lap();
  RESIDENT_TRY(const LoadedIndex index, load_index(repository));
  const int64_t loading = step.lap();

  FileContent content({fs, repository.worktree, repository.algorithm, true});
  FileContent::Rules rules;
  rules.index = index;
  rules.objects = &state->objects();
  rules.config = ConversionConfig::read(state->config());
  content.set_rules(std::move(rules));
  WorktreeTree tree({fs, repository.worktree, repository.git_dir, nullptr, content, threads,
                     [&](const Index& of, uint32_t position) {
                       return state->objects().read_blob(of.id(position));
                     }});
  step.lap();
  RESIDENT_CHECK(tree.scan(index, state->rules(), state->settings(), {}));
  const int64_t looking = step.lap();
  RESIDENT_TRY(const TreeIndexDiff diff, compare(*state, *index));
  const int64_t head = step.lap();
  return JsonObject()
      .add("ns", Samples{whole.elapsed()})
      .add("discoverNs", discovering)
      .add("surroundingsNs", surroundings)
      .add("indexNs", loading)
      .add("worktreeNs", looking)
      .add("headNs", head)
      .add("directories", static_cast<int64_t>(tree.state().work.directories))
      .add("lstats", static_cast<int64_t>(tree.state().work.lstats))
      .add("contentsRead", static_cast<int64_t>(tree.state().work.contents_read))
      .add("changed",
           static_cast<int64_t>(tree.state().entries.changed().size() + diff.changes.size()))
      .add("residentKb", memory_of("self").resident_kb)
      .text();
}

}  // namespace resident::bench
