#include "model/prompt_facts.h"

#include <utility>

#include "history/action_name.h"
#include "history/tag_names.h"
#include "model/history_sources.h"
#include "object/tree.h"

namespace resident {

namespace {

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

Result<void> PromptFacts::fill(const ModelView& view, const Causes& causes,
                               const BranchStatus& branch, bool index, PromptStatus& status) {
  RESIDENT_CHECK(update_commit(view, causes));
  RESIDENT_CHECK(update_remotes(view, causes, branch));
  RESIDENT_CHECK(update_tags(view, causes));
  RESIDENT_CHECK(update_stashes(view));
  update_action(view);
  if (commit_) status.commit = commit_->hex();
  if (!branch.detached && !branch.outside_heads) status.branch = branch.name;
  status.encoding = summary_.encoding;
  status.summary = summary_.text;
  if (remotes_.upstream) {
    status.upstream_branch = remotes_.upstream->branch;
    status.remote = remotes_.upstream->remote;
    status.remote_url = remotes_.upstream->url;
    status.ahead = static_cast<uint64_t>(branch.ahead);
    status.behind = static_cast<uint64_t>(branch.behind);
  }
  if (remotes_.push) {
    status.push_remote = remotes_.push->remote;
    status.push_url = remotes_.push->url;
    status.push_ahead = static_cast<uint64_t>(remotes_.push_counts.ahead);
    status.push_behind = static_cast<uint64_t>(remotes_.push_counts.behind);
  }
  if (commit_) {
    if (const auto tag = tags_.find(*commit_); tag != tags_.end()) status.tag = tag->second;
  }
  status.stashes = static_cast<uint64_t>(stashes_);
  status.action = action_;
  if (!index) return {};
  RESIDENT_CHECK(update_index(view, causes));
  status.index_size = index_.entries;
  status.skip_worktree = index_.skip_worktree;
  status.assume_unchanged = index_.assume_unchanged;
  return {};
}

std::vector<std::string> PromptFacts::files() const {
  std::vector<std::string> files;
  for (const FileSet* set : {&remote_files_, &tag_files_, &action_files_, &stash_files_}) {
    files.insert(files.end(), set->paths().begin(), set->paths().end());
  }
  return files;
}

Result<void> PromptFacts::update_commit(const ModelView& view, const Causes& causes) {
  const Counts made_from = {causes.head, 0};
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

Result<void> PromptFacts::update_remotes(const ModelView& view, const Causes& causes,
                                         const BranchStatus& branch) {
  const Counts made_from = {causes.head, causes.config};
  if (remotes_made_from_ == made_from && !remote_files_.changed(view.fs, gate_)) return {};
  remotes_made_from_.reset();
  remotes_ = {};
  const BranchSources sources = branch_sources(view);
  const Config& config = view.state.config();
  Remotes found;
  if (!branch.detached && !branch.outside_heads) {
    RESIDENT_TRY(found.upstream, upstream_remote_branch(branch.name, sources, config));
    RESIDENT_TRY(found.push, push_remote_branch(branch.name, sources, config));
  }
  remote_files_ = FileSet::record_found(view.fs, [&] {
    const RefStore::Reading reading(view.state.refs());
    std::vector<std::string> files = branch_status_files(view.state.head(), sources);
    if (found.push) {
      for (std::string& file : view.state.refs().files_of(found.push->ref)) {
        files.push_back(std::move(file));
      }
    }
    return files;
  });
  const RefStore::Reading reading(view.state.refs());
  if (found.upstream && !view.state.refs().exists(found.upstream->ref)) found.upstream.reset();
  if (found.push && !view.state.refs().exists(found.push->ref)) found.push.reset();
  if (found.push && commit_) {
    RESIDENT_TRY(const std::optional<AheadBehind> counts,
                 count_from_ref(*commit_, found.push->ref, sources));
    found.push_counts = counts.value_or(AheadBehind{});
  }
  remotes_ = std::move(found);
  remotes_made_from_ = made_from;
  return {};
}

// Objects of another repository can stand in for those that tags name.
Result<void> PromptFacts::update_tags(const ModelView& view, const Causes& causes) {
  const bool is_current = tags_made_from_ && !tag_files_.changed(view.fs, gate_);
  const bool replaces = view.state.objects().has_replacements();
  const Counts made_from = {replaces ? causes.head : 0, replaces};
  if (is_current && *tags_made_from_ == made_from) return {};
  tags_made_from_.reset();
  tags_.clear();
  tag_files_ = FileSet::record_found(view.fs, [&] {
    const RefStore::Reading reading(view.state.refs());
    return TagNames::files(view.state.refs());
  });
  const RefStore::Reading reading(view.state.refs());
  // Of refs that cannot be listed git makes no tag either.
  if (Result<TagsOfCommits> tags = tags_of_commits(view.state.refs(), view.state.objects());
      tags.ok()) {
    tags_ = std::move(tags).value();
  }
  tags_made_from_ = made_from;
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

Result<void> PromptFacts::update_index(const ModelView& view, const Causes& causes) {
  const Counts made_from = {causes.index, causes.binding};
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
