#include "model/answer_checks.h"

#include <algorithm>
#include <utility>

#include "history/detached_from.h"
#include "object/tree.h"
#include "status/untracked_cache.h"

namespace resident {

namespace {

Error for_git(std::string why) {
  return Error{ErrorCode::kUnsupported, std::move(why)};
}

// Porcelain v2 treats the origin of a detached HEAD (a tag or a remote's branch) as a branch name.
// The config may have an upstream for a branch of that name.
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

// True if git would warn that the pathspec's common prefix is no directory. It gives no warning if
// the first component of the prefix is missing too.
bool misses_start_of_walk(const ModelView& view, const StatusQuery& query) {
  if (!query.pathspec || query.untracked == UntrackedMode::kNo) return false;
  const std::string start(query.pathspec->common_directory());
  const auto is_directory = [&view](const std::string& path) {
    Result<FileStat> stat = view.fs.stat(view.absolute(path));
    return stat.ok() && stat->kind == FileKind::kDirectory;
  };
  return !view.tree.find_node(start) && is_directory(start.substr(0, start.find('/'))) &&
         !is_directory(start);
}

// True if git has a sparse index in memory. It then matches a pathspec against a sparse directory
// as a whole. The same holds for a directory of HEAD outside the cone that the index lacks. On
// reading, git makes an index sparse, even if no index file exists. Source: git's read-cache.c
// (set_new_index_sparsity), unpack-trees.c (entry_is_new_sparse_dir).
bool git_index_is_sparse(const ModelView& view) {
  if (view.current.sparse_as_read()) return true;
  return view.state.git_rules().folds_index_on_reading &&
         view.state.sparse_patterns().fold_index() && view.state.sparse_patterns().cone();
}

// True if git would expand its sparse index for the question and print advice about that. An index
// that is not sparse on disk is collapsed and expanded silently.
bool advises_on_unfolding(const ModelView& view, const StatusQuery& query) {
  const std::vector<std::string>* sparse = view.current.sparse_as_read();
  if (!sparse || !view.state.git_rules().advises_on_unfolding ||
      !view.state.config().get_bool("advice.sparseindexexpanded", true)) {
    return false;
  }
  if (!view.state.sparse_patterns().cone() || !view.state.sparse_patterns().fold_index())
    return true;
  // In this case git finds present files only during its search for untracked files.
  if (!view.state.settings().unskip_present && query.untracked == UntrackedMode::kNo) return false;
  return std::any_of(sparse->begin(), sparse->end(), [&view](const std::string& path) {
    // Follows a symbolic link, like git.
    return view.fs.lstat(view.absolute(path) + "/.").ok();
  });
}

// Fails if git would warn about its own files, whatever the question.
Result<void> check_files(const ModelView& view) {
  if (view.state.config().git_warns()) return for_git("git warns about a config file");
  if (view.state.head_is_ambiguous()) return for_git("the name HEAD is ambiguous");
  if (view.state.rules_unreadable()) return for_git("a file with ignore rules cannot be read");
  if (const auto problems = view.state.objects().problems(); !problems.empty()) {
    return for_git(problems.front().message);
  }
  return {};
}

Result<void> check_entries(const ModelView& view) {
  for (const uint32_t position : view.tree.entries.changed()) {
    const EntryState entry = view.tree.entries[position];
    // For an intent-to-add entry with a repository at its path, git reads .gitmodules.
    const bool is_new_submodule = entry.is_present() && entry.mode() == kModeGitlink &&
                                  view.index.entries()[position].intent_to_add();
    if (entry.git_warns() || is_new_submodule) {
      return for_git(view.index.path(position) + ": git warns about it");
    }
  }
  return {};
}

Result<void> check_head(const ModelView& view, const StatusQuery& query) {
  if (!view.state.head().detached) return {};
  if (query.branch && may_have_upstream(view.state.config(), view.state.refs())) {
    return for_git("HEAD is detached, and git may print the branch that it came from");
  }
  if (query.operation) return {};
  return check_detached_from({view.fs, view.state.refs(), view.state.objects(), view.state.config(),
                              view.state.git_rules(), view.repository});
}

Result<void> check_entry(const StatusRows::Sources& sources, uint32_t position,
                         const StatusQuery& query) {
  const ModelView& view = sources.view;
  const Index& index = view.index;
  const EntryState state = view.tree.entries[position];
  if (state.is_unanswerable()) return for_git(index.path(position) + ": git cannot read it either");
  if (!state.is_present()) return {};
  const IndexEntry& entry = index.entries()[position];
  const bool as_in_index = state.mode() == entry.mode && entry.mode != kModeGitlink;
  if (entry.intent_to_add() && !as_in_index && !view.state.git_rules().looks_at_files_to_add) {
    return for_git(index.path(position) + ": an intent-to-add entry");
  }
  // The commits that git reports here depend on whether rename detection runs at all.
  if (entry.stage() != 0 && state.mode() == kModeGitlink) {
    return for_git(index.path(position) + ": an unmerged submodule");
  }
  // Without symbolic links or executable bits, each stage gives the file a different mode. The
  // contents also decide which mode git shows.
  if (entry.stage() == 2 && index.find_path(index.path(position)) != position &&
      view.tree.entries[position - 1].mode() != state.mode()) {
    return for_git(index.path(position) + ": stages of several types");
  }
  if (entry.mode != kModeGitlink) return {};
  // git refuses to examine a submodule behind a symbolic link.
  if (state.mode() == kModeSymlink &&
      sources.submodules.ignored(index.path(position), query) < IgnoreSubmodules::kDirty) {
    return for_git(index.path(position) + ": a submodule replaced by a symbolic link");
  }
  return {};
}

}  // namespace

Result<void> check_answerable(const StatusRows::Sources& sources, const StatusQuery& query) {
  const ModelView& view = sources.view;
  if ((query.pathspec || query.ignored != IgnoredMode::kNo) &&
      !view.state.git_rules().walks_by_pathspec) {
    return for_git("this git version scans the worktree differently");
  }
  if (query.pathspec && git_index_is_sparse(view)) {
    return for_git("a pathspec has to match sparse directories");
  }
  const PathLimit limit = view.limit_of(query.pathspec);
  for (const uint32_t position : view.tree.entries.changed()) {
    if (!limit.has_entry(view.index, position)) continue;
    RESIDENT_CHECK(check_entry(sources, position, query));
  }
  return {};
}

Result<void> check_no_warnings(const StatusRows::Sources& sources, const StatusQuery& query) {
  const ModelView& view = sources.view;
  RESIDENT_CHECK(check_files(view));
  if (git_distrusts_untracked_cache(view.index, view.state.config(), view.repository.worktree,
                                    query)) {
    return for_git("git has a warning about its untracked cache");
  }
  RESIDENT_CHECK(check_entries(view));
  if (view.current.was_sparse() && !view.index.is_sparse() && !sources.staged.unmerged().empty()) {
    return for_git("git warns about conflicts when it expands the index");
  }
  if (advises_on_unfolding(view, query))
    return for_git("git prints advice about expanding the sparse index");
  if (misses_start_of_walk(view, query))
    return for_git("the pathspec begins with a missing directory");
  RESIDENT_CHECK(check_head(view, query));
  if (const std::string what = sources.submodules.what_git_warns_of(); !what.empty()) {
    return for_git(what + ": git warns about it");
  }
  return {};
}

Result<std::optional<SparseCheckout>> sparse_checkout(const ModelView& view) {
  const Index& index = view.index;
  const size_t count = index.entries().size();
  const GitRules& rules = view.state.git_rules();
  if (!rules.tells_sparse_checkout || !view.state.config().get_bool("core.sparsecheckout", false)) {
    return std::optional<SparseCheckout>();
  }
  if (count == 0 && index.sparse_directories().empty()) return std::optional<SparseCheckout>();
  const bool folds = rules.folds_index_on_reading && view.state.sparse_patterns().fold_index();
  const bool stays_sparse =
      !rules.folds_index_on_reading || (folds && view.state.sparse_patterns().cone());
  if (rules.tells_sparse_index && stays_sparse && index.is_sparse()) {
    return std::optional(SparseCheckout{});
  }
  // Otherwise git collapses or expands the index, while reading it or because of the files it
  // finds. Its output depends on that.
  const bool may_unfold = !rules.folds_index_on_reading && view.current.sparse_as_read();
  if (folds || may_unfold || !index.sparse_directories().empty()) {
    return for_git(view.repository.index_path + ": the directory may be sparse");
  }
  const std::span<const EntryState> states = view.tree.entries.all();
  const auto skipped = static_cast<size_t>(std::count_if(
      states.begin(), states.end(), [](EntryState state) { return state.is_skipped(); }));
  return std::optional(SparseCheckout{static_cast<int>(100 - 100 * skipped / count)});
}

}  // namespace resident
