// The part of WorktreeModel that answers a status question.
#include <algorithm>

#include "base/stopwatch.h"
#include "history/branch_status.h"
#include "history/detached_from.h"
#include "model/worktree_model.h"
#include "object/tree.h"
#include "status/ask_git.h"
#include "status/untracked_view.h"

namespace resident {

namespace {

// Porcelain v2 takes what a detached HEAD came from, a tag or a remote's branch, for the name of a
// branch, which may have an upstream.
bool may_have_upstream(const Config& config, RefStore& refs) {
  constexpr std::string_view kSection = "branch.";
  constexpr std::string_view kVariable = ".merge";
  return std::any_of(config.entries().begin(), config.entries().end(),
                     [&](const ConfigEntry& entry) {
                       std::string_view name = entry.key;
                       if (!name.starts_with(kSection) || !name.ends_with(kVariable)) return false;
                       name.remove_prefix(kSection.size());
                       if (name.size() <= kVariable.size()) return false;
                       name.remove_suffix(kVariable.size());
                       return refs.exists("refs/tags/" + std::string(name)) ||
                              refs.exists("refs/remotes/" + std::string(name));
                     });
}

}  // namespace

Result<StatusResult> WorktreeModel::answer(const StatusQuery& query) {
  if (options_.watcher) {
    RESIDENT_CHECK(update());
  } else if (failure_) {
    return *failure_;
  }
  if (delegated_.empty()) {
    Result<StatusResult> own = own_answer(query, false);
    const bool for_git = !own.ok() && own.error().code == ErrorCode::kUnsupported;
    if (!for_git || !options_.trusted || !options_.asks_git || query.operation) return own;
    // What git said before, it said of what may be no more.
    git_outputs_.forget();
    return ask_git_kept(query);
  }
  // No format for scripts tells of it.
  if (query.operation) return Error{ErrorCode::kUnsupported, delegated_};
  return ask_git_kept(query);
}

Result<StatusResult> WorktreeModel::answer_if_no_warnings(const StatusQuery& query) {
  if (failure_) return *failure_;
  if (!delegated_.empty()) return Error{ErrorCode::kUnsupported, delegated_};
  RESIDENT_CHECK(check_known(query));
  RESIDENT_CHECK(check_no_warnings(query));
  return own_answer(query, true);
}

bool WorktreeModel::misses_start_of_walk(const StatusQuery& query) const {
  if (!query.pathspec || query.untracked == UntrackedMode::kNo) return false;
  const std::string start(query.pathspec->common_directory());
  const auto is_directory = [this](const std::string& path) {
    Result<FileStat> stat = fs_.stat(repository_.worktree + "/" + path);
    return stat.ok() && stat->kind == FileKind::kDirectory;
  };
  return !tree_->find_node(start) && is_directory(start.substr(0, start.find('/'))) &&
         !is_directory(start);
}

// An index that is not sparse on disk is folded up and unfolded without a word.
bool WorktreeModel::git_advises_on_unfolding(const StatusQuery& query) const {
  if (!sparse_as_read_ || !state_->git_rules().advises_on_unfolding ||
      !state_->config().get_bool("advice.sparseindexexpanded", true)) {
    return false;
  }
  if (!state_->sparse_cone() || !state_->folds_index()) return true;
  // Then it looks only where it looks for untracked files.
  if (!state_->settings().unskip_present && query.untracked == UntrackedMode::kNo) return false;
  const std::vector<std::string>& directories = *sparse_as_read_;
  return std::any_of(directories.begin(), directories.end(), [this](const std::string& path) {
    // Through a link too, as git looks.
    return fs_.lstat(repository_.worktree + "/" + path + "/.").ok();
  });
}

// What is known before the lists are made.
Result<void> WorktreeModel::check_no_warnings(const StatusQuery& query) {
  const auto speaks = [](std::string why) {
    return Error{ErrorCode::kUnsupported, std::move(why)};
  };
  if (state_->config().git_warns()) return speaks("git complains about a config file");
  if (state_->head_is_ambiguous()) return speaks("the name HEAD is ambiguous");
  if (state_->rules_unreadable()) return speaks("a file with ignore rules cannot be read");
  if (const auto problems = state_->objects().problems(); !problems.empty()) {
    return speaks(problems.front().message);
  }
  if (git_distrusts_untracked_cache(*index_, state_->config(), repository_.worktree, query)) {
    return speaks("git has a warning about its untracked cache");
  }
  for (uint32_t position : tree_->changed_entries()) {
    const EntryState entry = tree_->states()[position];
    // For a repository where a file is to be added git reads .gitmodules.
    const bool is_new_submodule = entry.is_present() && entry.mode() == kModeGitlink &&
                                  index_->entries()[position].intent_to_add();
    if (entry.git_warns() || is_new_submodule) {
      return speaks(index_->path(position) + ": git complains about it");
    }
  }
  if (index_was_sparse() && !index_->is_sparse() && !staged_.unmerged.empty()) {
    return speaks("git complains about conflicts when it unfolds its index");
  }
  if (git_advises_on_unfolding(query)) return speaks("git advises on unfolding its sparse index");
  if (misses_start_of_walk(query)) return speaks("the pathspec begins where no directory is");
  if (query.branch && state_->head().detached &&
      may_have_upstream(state_->config(), state_->refs())) {
    return speaks("HEAD is detached, and may be told as the branch that it came from");
  }
  if (state_->head().detached && !query.operation) {
    RESIDENT_CHECK(check_detached_from({fs_, state_->refs(), state_->objects(), state_->config(),
                                        state_->git_rules(), repository_}));
  }
  if (has_gitlinks_ && submodule_ignores_.git_warns()) {
    return speaks("git complains about .gitmodules");
  }
  for (const auto& [position, known] : submodules_) {
    if (known.git_warns) return speaks(index_->path(position) + ": git complains about it");
  }
  return {};
}

Result<StatusResult> WorktreeModel::own_answer(const StatusQuery& query, bool without_warnings) {
  RESIDENT_CHECK(check_known(query));
  RESIDENT_CHECK(check_answerable(query));
  StatusResult result;
  bool git_warns = false;
  auto fill = [&](const Rows& rows) {
    git_warns |= rows.git_warns;
    for (const auto& [path, row] : rows.changed) result.changed.push_back(row);
    for (const auto& [path, row] : rows.unmerged) result.unmerged.push_back(row);
  };
  if (has_told_rows(query)) {
    fill(rows_);
  } else {
    RESIDENT_TRY(Rows rows, build_rows(query));
    fill(rows);
  }
  const Stopwatch listing;
  RESIDENT_TRY(UntrackedLists lists,
               untracked_view(fs_, repository_.worktree, *index_, tree_->top(),
                              {query.untracked, query.ignored, limit_of(query.pathspec),
                               state_->settings().ignore_case, without_warnings}));
  // For a pathspec that asks for attributes git reads those of every entry. On our way to the lists
  // only those of untracked files, and of changed ones, were read.
  const bool pathspec_warns = without_warnings && query.pathspec &&
                              query.pathspec->asks_attributes() && content_.attributes_warn();
  if (without_warnings && (git_warns || lists.git_warns || pathspec_warns)) {
    return Error{ErrorCode::kUnsupported, "git complains about what it cannot read"};
  }
  result.untracked = std::move(lists.untracked);
  result.ignored = std::move(lists.ignored);
  result.enumerating = scan_time_ + listing.elapsed();
  RESIDENT_CHECK(add_branch(query, result));
  if (without_warnings && result.branch && result.branch->git_warns) {
    return Error{ErrorCode::kUnsupported, "git complains about what leads to the upstream"};
  }
  if (query.operation) RESIDENT_CHECK(add_operation(result));
  if (query.stash) {
    RESIDENT_TRY(result.stash_count, count_stash(state_->refs()));
  }
  return result;
}

}  // namespace resident
