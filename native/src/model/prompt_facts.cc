#include "model/prompt_facts.h"

#include <utility>

#include "history/action_name.h"
#include "history/message_config.h"
#include "model/history_sources.h"
#include "object/tree.h"

namespace resident {

namespace {

// Some milliseconds each.
constexpr AheadBehindWalk::Budget kPromptStep = {.visits = 30'000, .reads = 4'000};
constexpr AheadBehindWalk::Budget kNoStep = {.visits = 0, .reads = 0};

Error pending(std::string what) {
  return Error{ErrorCode::kPending, std::move(what)};
}

// Files and submodules of a tree and of those below it.
Result<uint64_t> count_entries(ObjectDatabase& objects, const ObjectId& root) {
  uint64_t count = 0;
  std::vector<ObjectId> trees = {root};
  while (!trees.empty()) {
    const ObjectId tree = trees.back();
    trees.pop_back();
    RESIDENT_TRY(const std::string content, objects.read_tree(tree));
    for (TreeIterator entries(content, objects.algorithm());;) {
      RESIDENT_TRY(const bool more, entries.next());
      if (!more) break;
      if (entries.entry().is_tree()) {
        trees.push_back(entries.entry().id);
      } else {
        ++count;
      }
    }
  }
  return count;
}

}  // namespace

PromptFacts::Budget PromptFacts::budget() const {
  return in_steps_ ? kPromptStep : Budget{};
}

Result<void> PromptFacts::fill(const ModelView& view, const InputVersions& versions,
                               const BranchStatus& branch, const PromptQuery& query,
                               PromptStatus& status) {
  RESIDENT_CHECK(update_commit(view, versions));
  RESIDENT_CHECK(fill_remotes(view, versions, branch, status));
  RESIDENT_CHECK(update_stashes(view));
  update_action(view);
  if (commit_) status.commit = commit_->hex();
  if (!branch.detached && !branch.outside_heads) status.branch = branch.name;
  status.encoding = summary_.encoding;
  status.summary = summary_.text;
  if (commit_ && query.tag) {
    auto tag = nearest_.last_tag(view, versions, *commit_, budget());
    if (!tag) return pending("tags are being read");
    status.tag = *std::move(tag);
  }
  status.stashes = static_cast<uint64_t>(stashes_);
  status.action = action_;
  RESIDENT_CHECK(fill_descriptions(view, versions, query, status));
  if (!query.index) return {};
  RESIDENT_CHECK(update_index(view, versions));
  status.index_size = index_.entries;
  status.skip_worktree = index_.skip_worktree;
  status.assume_unchanged = index_.assume_unchanged;
  return {};
}

Result<void> PromptFacts::fill_remotes(const ModelView& view, const InputVersions& versions,
                                       const BranchStatus& branch, PromptStatus& status) {
  RESIDENT_CHECK(remotes_.update(view, versions, branch));
  const auto& upstream = remotes_.upstream();
  if (upstream && upstream->exists) {
    status.upstream_branch = upstream->branch.branch;
    status.remote = upstream->branch.remote;
    status.remote_url = upstream->branch.url;
    status.ahead = static_cast<uint64_t>(branch.ahead);
    status.behind = static_cast<uint64_t>(branch.behind);
  }
  const auto& push = remotes_.push_remote();
  if (!push || !push->exists) return {};
  status.push_remote = push->branch.remote;
  status.push_url = push->branch.url;
  if (upstream && upstream->branch.ref == push->branch.ref) {
    status.push_ahead = status.ahead;
    status.push_behind = status.behind;
    return {};
  }
  RESIDENT_TRY(const std::optional<AheadBehind> counts, remotes_.count(view, *push, budget()));
  if (!counts) return pending("the commits ahead and behind the push remote are being counted");
  status.push_ahead = static_cast<uint64_t>(counts->ahead);
  status.push_behind = static_cast<uint64_t>(counts->behind);
  return {};
}

Result<void> PromptFacts::fill_descriptions(const ModelView& view, const InputVersions& versions,
                                            const PromptQuery& query, PromptStatus& status) {
  using Which = NearestTags::Which;
  const auto text_of = [&](Which which, Description& found) -> Result<std::string> {
    RESIDENT_TRY(const std::optional<Description> description,
                 nearest_.describe(view, versions, which, budget()));
    if (!description) return pending("the search for the nearest tag is in progress");
    found = *description;
    if (found.tag.empty()) return std::string();
    return describe_text(found, *commit_, view.state.objects(),
                         configured_abbreviation(view.state.config(), view.repository.algorithm));
  };
  Description found;
  if (query.describe) {
    RESIDENT_TRY(status.describe, text_of(Which::kAnnotated, found));
  }
  if (query.describe_tags) {
    RESIDENT_TRY(status.describe_tags, text_of(Which::kAll, found));
    status.nearest_tag = found.tag;
    status.tag_distance = static_cast<uint64_t>(found.depth);
  }
  return {};
}

BranchDetails PromptFacts::details(const ModelView& view, const InputVersions& versions,
                                   const BranchStatus& branch, bool may_step) {
  BranchDetails details;
  if (update_stashes(view).ok()) details.stashes = stashes_;
  update_action(view);
  details.action = action_;
  // One walk at a time, so that no turn takes several steps.
  add_remotes(view, versions, branch, may_step ? budget() : kNoStep, details);
  may_step &= details.push_known != BranchDetails::Known::kPending;
  add_tag(view, versions, may_step ? budget() : kNoStep, details);
  return details;
}

void PromptFacts::add_tag(const ModelView& view, const InputVersions& versions,
                          const Budget& budget, BranchDetails& details) {
  using Known = BranchDetails::Known;
  const auto found = nearest_.describe(view, versions, NearestTags::Which::kAll, budget);
  details.tag_known = !found.ok() ? Known::kUnknown : *found ? Known::kKnown : Known::kPending;
  if (details.tag_known != Known::kKnown || (*found)->tag.empty()) return;
  details.tag = {(*found)->tag, (*found)->depth};
}

void PromptFacts::add_remotes(const ModelView& view, const InputVersions& versions,
                              const BranchStatus& branch, const Budget& budget,
                              BranchDetails& details) {
  using Known = BranchDetails::Known;
  details.push_known = Known::kUnknown;
  if (!remotes_.update(view, versions, branch).ok()) return;
  details.push_known = Known::kKnown;
  const auto told = [](const RemoteBranch& found) {
    return BranchDetails::Remote{found.remote, found.branch, found.url};
  };
  const auto& upstream = remotes_.upstream();
  if (upstream) details.upstream = told(upstream->branch);
  const auto& push = remotes_.push_destination();
  if (!push) return;
  details.push = told(push->branch);
  details.push_is_upstream = upstream && upstream->branch.ref == push->branch.ref;
  if (details.push_is_upstream) {
    // As the branch has it.
    if (branch.counted) details.push_counts = {branch.ahead, branch.behind};
    return;
  }
  if (!push->exists) return;
  const auto counts = remotes_.count(view, *push, budget);
  details.push_known = !counts.ok() ? Known::kUnknown : *counts ? Known::kKnown : Known::kPending;
  if (counts.ok()) details.push_counts = *counts;
}

std::vector<std::string> PromptFacts::files() const {
  std::vector<std::string> files = remotes_.files();
  const auto add = [&](const std::vector<std::string>& more) {
    files.insert(files.end(), more.begin(), more.end());
  };
  add(nearest_.files());
  for (const FileSet* set : {&action_files_, &stash_files_}) add(set->paths());
  return files;
}

Result<void> PromptFacts::update_commit(const ModelView& view, const InputVersions& versions) {
  const Counts made_from = {versions.head, 0};
  const Head& head = view.state.head();
  if (commit_made_from_ == made_from) return {};
  commit_made_from_.reset();
  commit_.reset();
  summary_ = {};
  if (head.id) {
    RESIDENT_TRY(commit_, view.state.objects().peel_to_commit(*head.id));
    RESIDENT_TRY(const std::string content, view.state.objects().read_commit(*commit_));
    summary_ = commit_summary(content);
  }
  commit_made_from_ = made_from;
  return {};
}

void PromptFacts::update_action(const ModelView& view) {
  if (action_is_made_ && !action_files_.changed(view.fs, gate_)) return;
  const OperationSources sources = operation_sources(view);
  action_files_ = FileSet::record_found(view.fs, [&] {
    const RefStore::Reading reading(view.state.refs());
    return action_files(sources);
  });
  const RefStore::Reading reading(view.state.refs());
  action_ = action_name(sources);
  action_is_made_ = true;
}

Result<void> PromptFacts::update_stashes(const ModelView& view) {
  if (stashes_are_made_ && !stash_files_.changed(view.fs, gate_)) return {};
  stashes_are_made_ = false;
  stash_files_ = FileSet::record_found(view.fs, [&] {
    const RefStore::Reading reading(view.state.refs());
    return stash_files(view.state.refs());
  });
  const RefStore::Reading reading(view.state.refs());
  RESIDENT_TRY(stashes_, count_stash(view.state.refs()));
  stashes_are_made_ = true;
  return {};
}

Result<void> PromptFacts::update_index(const ModelView& view, const InputVersions& versions) {
  const Counts made_from = {versions.index, versions.binding};
  if (index_made_from_ == made_from) return {};
  index_made_from_.reset();
  IndexCounts counts;
  counts.entries = view.index.entries().size();
  for (const IndexEntry& entry : view.index.entries()) {
    counts.skip_worktree += entry.skip_worktree();
    counts.assume_unchanged += entry.assume_valid();
  }
  for (const uint32_t directory : view.index.sparse_directories()) {
    RESIDENT_TRY(const uint64_t below,
                 count_entries(view.state.objects(), *view.index.sparse_tree(directory)));
    counts.entries += below;
    counts.skip_worktree += below;
  }
  index_ = counts;
  index_made_from_ = made_from;
  return {};
}

}  // namespace resident
