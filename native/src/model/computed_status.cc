#include "model/computed_status.h"

#include <algorithm>
#include <set>
#include <utility>

#include "diff/sparse_directories.h"
#include "diff/tree_index_diff.h"
#include "model/untrusted_submodule.h"

namespace resident {

namespace {

// git may have the missing object: in a partial clone it fetches it.
Error for_git(Error error) {
  if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kUnsupported;
  return error;
}

}  // namespace

ComputedStatus::ComputedStatus(ModelInputs& inputs, TreeFreshness& freshness, DeltaMaker& deltas)
    : inputs_(inputs),
      freshness_(freshness),
      deltas_(deltas),
      rows_(inputs.options.pathspec, deltas.rows()),
      submodules_(submodules_setup()),
      // If no call waits for a program, no call waits for a count either.
      branch_(inputs.options.gate,
              inputs.options.watcher && inputs.options.git && inputs.options.git_answered),
      prompt_(inputs.options.gate, branch_.counts_in_steps()) {
}

KnownSubmodules::Setup ComputedStatus::submodules_setup() {
  KnownSubmodules::StartScan scan;  // empty: git is asked for a submodule's status
  if (!inputs_.options.trusted) {
    scan = [this](const std::string& path) {
      ModelOptions options;
      options.threads = inputs_.options.threads;
      options.trusted = false;
      options.git = inputs_.options.git;
      options.git_answered = inputs_.options.git_answered;
      options.now = inputs_.options.now;
      return std::make_unique<UntrustedSubmodule>(inputs_.fs, path, std::move(options),
                                                  inputs_.git);
    };
  }
  return {
      .fs = inputs_.fs,
      .repository = inputs_.repository,
      .gate = inputs_.options.gate,
      .git = inputs_.git,
      .config = [this]() -> const Config& { return inputs_.state.config(); },
      .scan = std::move(scan),
      .readable_again =
          [this](const std::string& path) {
            // git may answer for the worktree because of this failure.
            if (freshness_.is_watch_only()) {
              freshness_.events().mark_desynced(path + " can be read again");
            }
          },
      .changed = [this](const std::string& path) { freshness_.journal().record_submodule(path); },
      .touched = [this](uint32_t position) { rows_.mark_touched(position); },
  };
}

ModelView ComputedStatus::view() const {
  return {inputs_.fs,     inputs_.repository, inputs_.state,   inputs_.index,
          *inputs_.index, freshness_.tree(),  inputs_.content, inputs_.limit};
}

// --- Derived state

Result<void> ComputedStatus::update() {
  if (!staged_.knows_attributes(inputs_.fs)) ++inputs_.versions.own_attributes;
  if (!staged_.is_current(inputs_.versions)) RESIDENT_CHECK(diff_head());
  while (inputs_.index.is_new() || !freshness_.tree().sparse_present.empty()) {
    const std::set<uint32_t>& present = freshness_.tree().sparse_present;
    // The positions are valid only in the tree's index.
    if (!inputs_.index.is_new()) RESIDENT_CHECK(expand_index({present.begin(), present.end()}));
    freshness_.bind();
  }
  freshness_.filters().ask();
  return update_parts();
}

Result<void> ComputedStatus::diff_head() {
  RepositoryState& state = inputs_.state;
  const auto compare = [&] {
    const TreeReader read_tree = [&](const ObjectId& id) { return state.objects().read_tree(id); };
    return diff_tree_index(state.head_tree(), *inputs_.index, read_tree);
  };
  Result<TreeIndexDiff> diff = compare();
  // True if the change is below a directory that is a single entry in the index file.
  const auto is_below_sparse = [this](const PathChange& change) {
    return inputs_.index.was_sparse_at(change.path);
  };
  if (diff.ok() && !state.git_rules().tells_files_of_sparse_directories &&
      (!diff->differing_sparse.empty() ||
       std::any_of(diff->changes.begin(), diff->changes.end(), is_below_sparse))) {
    return Error{ErrorCode::kUnsupported,
                 inputs_.repository.index_path + ": HEAD differs below sparse directories"};
  }
  while (diff.ok() && !diff->differing_sparse.empty()) {
    RESIDENT_CHECK(expand_index(std::move(diff->differing_sparse)));
    diff = compare();
  }
  if (!diff.ok()) return for_git(std::move(diff).error());
  Result<void> taken = staged_.take(view(), inputs_.versions, *std::move(diff));
  if (!taken.ok()) return for_git(std::move(taken).error());
  return {};
}

// Expands a sparse index at the directories that exist on disk or differ from HEAD. Their files
// must be known one by one.
Result<void> ComputedStatus::expand_index(std::vector<uint32_t> directories) {
  Result<std::shared_ptr<const Index>> expanded = expand_from_trees(
      *inputs_.index, directories,
      [this](const ObjectId& id) { return inputs_.state.objects().read_tree(id); });
  if (!expanded.ok()) return for_git(std::move(expanded).error());
  freshness_.expand_index(std::move(expanded).value());
  return {};
}

Result<void> ComputedStatus::update_parts() {
  Touched touched = freshness_.consume_touched();
  deltas_.mark_untracked(touched.untracked);
  if (touched.ignore_rules) deltas_.mark_ignore_rules();
  rows_.mark_touched(std::move(touched.entries));
  const ModelView view = this->view();
  const bool unreported = !inputs_.options.watcher || freshness_.tree().polls();
  RESIDENT_CHECK(
      submodules_.update(view, inputs_.versions, std::move(touched.submodules), unreported));
  RESIDENT_CHECK(rows_.update(sources(view), inputs_.versions));
  // A one-shot scan reads the branch only for a question that asks for it.
  if (!inputs_.options.watcher) return {};
  RESIDENT_CHECK(update_branch(view));
  if (wants_details_) update_details(view);
  return {};
}

Result<void> ComputedStatus::update_branch(const ModelView& view) {
  RESIDENT_CHECK(branch_.update(view, inputs_.versions));
  if (branch_.is_counting()) inputs_.options.git_answered();
  return {};
}

Result<void> ComputedStatus::count_branch(const ModelView& view) {
  if (!branch_.is_counting()) RESIDENT_CHECK(update_branch(view));
  if (!branch_.is_counting()) return {};
  return Error{ErrorCode::kPending, "the commits ahead and behind are being counted"};
}

void ComputedStatus::want_details(bool wanted) {
  wants_details_ = wanted;
  if (!wanted) details_.reset();
}

void ComputedStatus::update_details(const ModelView& view) {
  using Known = BranchDetails::Known;
  details_ = prompt_.details(view, inputs_.versions, *branch_.get(), !branch_.is_counting());
  const bool is_pending =
      details_->tag_known == Known::kPending || details_->push_known == Known::kPending;
  if (is_pending && inputs_.options.git_answered) inputs_.options.git_answered();
}

BackgroundGit::DueTime ComputedStatus::due(bool failed) const {
  using Git = BackgroundGit;
  const ConfigQuestion& question = inputs_.config_question();
  const RepositoryState& state = inputs_.state;
  Git::DueTime due = question.due();
  if (failed || !state.is_loaded() || state.awaits_git()) return due;
  due = Git::earlier(due, question.due(state.config()));
  return Git::earlier(due, submodules_.due());
}

void ComputedStatus::add_files(std::vector<std::string>& files) const {
  for (const std::vector<std::string>& more : {branch_.files(), prompt_.files()}) {
    files.insert(files.end(), more.begin(), more.end());
  }
  submodules_.add_files(files);
}

}  // namespace resident
