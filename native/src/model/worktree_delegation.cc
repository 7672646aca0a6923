// The part of WorktreeModel that lets git answer.
#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "git_fallback/answer_files.h"
#include "model/worktree_model.h"
#include "refs/head_files.h"
#include "repo_state/user_files.h"
#include "repository/nested_repository.h"
#include "submodule/submodule_files.h"

namespace resident {

namespace {

// Number of scan attempts before git answers, while the deciding files keep changing.
constexpr int kMaxAttempts = 3;

}  // namespace

// The files that decide whether git has to answer.
std::vector<std::string> WorktreeModel::delegation_files() const {
  std::vector<std::string> files = {repository_.index_path, repository_.common_dir + "/config",
                                    repository_.git_dir + "/config.worktree",
                                    repository_.worktree + "/.gitmodules",
                                    // Without these, git does not accept the repository.
                                    repository_.objects_dir, repository_.common_dir + "/refs"};
  for (std::string& file : files_around_head(fs_, repository_.git_dir, repository_.common_dir)) {
    files.push_back(std::move(file));
  }
  files.insert(files.end(), place_.files().begin(), place_.files().end());
  if (!state_->is_loaded()) return files;
  for (std::string& file : state_->files()) files.push_back(std::move(file));
  for (std::string& file : state_->objects().listed_files()) files.push_back(std::move(file));
  return files;
}

// Call before any of these files is read. The config must then come from a later answer of git.
void WorktreeModel::record_delegation_files() {
  config_question().want_as_of(delegate_.record_files());
}

// Scans without git, also while git answers.
Result<void> WorktreeModel::scan_ourselves(const WorktreeTree::ScanControl& control) {
  Result<void> result = scan_without_git(control);
  if (result.ok() || !is_delegated()) return result;
  const ErrorCode code = result.error().code;
  const bool is_undecided = code == ErrorCode::kUnsupported || code == ErrorCode::kPending ||
                            code == ErrorCode::kCancelled;
  if (!is_undecided) delegate_.refute();
  return result;
}

Result<void> WorktreeModel::scan_without_git(const WorktreeTree::ScanControl& control) {
  RESIDENT_CHECK(refresh_metadata());
  // The new config may show that only git can answer.
  if (config_question().wants_newer()) RESIDENT_CHECK(check_known());
  RESIDENT_CHECK(scan_tree(control));
  RESIDENT_CHECK(finish());
  delegate_.forget_files();
  if (!is_delegated()) return {};
  delegate_.end();
  gated_files_.outdate();
  deltas_.mark_untracked(untracked_by_git_, tree_->state().untracked.all());
  untracked_by_git_.clear();
  return {};
}

// From here on git answers. The tree is kept only to detect that something changed.
Result<void> WorktreeModel::delegate(Error reason, WorktreeTree::ScanControl control) {
  if (!options_.trusted) {
    return Error{
        ErrorCode::kUnsafe,
        reason.message + "; only git can answer, and git does not run in an untrusted workspace"};
  }
  if (!options_.asks_git) return reason;
  // A file may have been incomplete when it was read, and complete when it was recorded. No event
  // would then cause a retry. Only a failure that was read after the recording counts.
  for (int attempts = 0; options_.watcher && attempts < kMaxAttempts; ++attempts) {
    FileSet files = FileSet::record(fs_, delegation_files());
    if (delegate_.has_files(files.paths())) break;
    delegate_.set_files(std::move(files));
    if (!git_.runs_in_place()) config_question().want_as_of(git_.tasks().next());
    Result<void> result = scan_ourselves(control);
    if (result.ok() || result.error().code != ErrorCode::kUnsupported) return result;
    reason = std::move(result).error();
  }
  config_question().want_as_of(0);
  content_.filters().drop_all(git_.tasks());
  if (!is_delegated()) {
    untracked_by_git_ = scanned_ ? tree_->state().untracked.all() : std::set<std::string>();
  }
  delegate_.begin(std::move(reason.message));
  if (options_.watcher) {
    RESIDENT_TRY(std::shared_ptr<const Index> none,
                 Index::load("", {.algorithm = repository_.algorithm}));
    journal_.restart();
    control.watch_only = true;
    RESIDENT_CHECK(tree_->scan(std::move(none), {}, {}, control));
    scanned_ = true;
    desynced_.clear();
    (void)pending_.take();
  }
  // The tree found untracked files before it was clear that git must answer. They are reported as
  // git lists them.
  deltas_.mark_untracked(tree_->consume_touched().untracked);
  // A one-shot caller needs no rows beside the answer.
  return options_.watcher ? follow_git() : Result<void>();
}

// All files around the worktree that decide git's answer; nullopt: too many to check, or an outside
// program decides too.
std::optional<std::vector<std::string>> WorktreeModel::files_of_answers() {
  programs_of_git_ = {};
  // Changes can happen here without an event, or in another repository's objects.
  if (tree_->state().polls() || tree_->state().links.beyond() > 0 ||
      repository_.objects_dir != repository_.common_dir + "/objects") {
    return std::nullopt;
  }
  Result<std::vector<std::string>> around = std::vector<std::string>();
  OutsidePrograms programs;
  if (state_->is_loaded()) {
    around = state_->files();
    programs = OutsidePrograms::of(fs_, state_->config());
  } else {
    const Result<Config> config = state_->current_config().read();
    around = RepositoryState::files_around(repository_, config);
    // git refuses an unreadable config, and then runs no program.
    if (config.ok()) programs = OutsidePrograms::of(fs_, *config);
  }
  if (!around.ok()) return std::nullopt;
  std::vector<std::string> git_dirs = {repository_.git_dir, repository_.common_dir};
  // The repository that git finds if `.git` leads elsewhere now.
  if (const std::string found = git_directory_of(fs_, repository_.worktree); !found.empty()) {
    git_dirs.push_back(found);
    git_dirs.push_back(common_directory_of(fs_, found));
  }
  FilesAroundSubmodules around_submodules;
  if (state_->is_loaded())
    around_submodules = files_around_submodules(state_->config(), repository_);
  for (const std::string& path : tree_->state().watches.paths_with_dot_git()) {
    const std::string directory = repository_.worktree + "/" + path;
    SubmoduleFiles below =
        submodule_files(fs_, directory, repository_.algorithm, around_submodules);
    if (!below.complete) return std::nullopt;
    programs.add(below.programs);
    std::move(below.paths.begin(), below.paths.end(), std::back_inserter(*around));
    const std::string git_dir = git_directory_of(fs_, directory);
    if (git_dir.empty()) continue;
    git_dirs.push_back(git_dir);
    git_dirs.push_back(common_directory_of(fs_, git_dir));
  }
  std::optional<std::vector<std::string>> files = answer_files(fs_, git_dirs);
  if (!files || !programs.are_known()) return std::nullopt;
  programs_of_git_ = std::move(programs);
  files->insert(files->end(), around->begin(), around->end());
  files->insert(files->end(), place_.files().begin(), place_.files().end());
  files->push_back(repository_.index_path);
  files->push_back(repository_.worktree + "/.git");
  return files;
}

// Applies changes while git answers.
Result<void> WorktreeModel::apply_changes_for_git() {
  // The reason for git may be gone.
  const bool may_be_ours = delegate_.may_be_over();
  if (may_be_ours) record_delegation_files();
  if (may_be_ours || delegate_.is_refuted() || !desynced_.empty()) {
    // All earlier answers of git are stale, whatever the scan finds.
    delegate_.forget();
    return scan();
  }
  if (!apply_pending_paths()) return apply_changes_for_git();
  const bool happened = tree_->consume_touched().anything || !programs_of_git_.hold(fs_);
  return delegate_.are_rows_outdated(happened) ? follow_git() : tell_as_git();
}

// Asks git for the rows that deltas report. Answers to other questions are kept until something
// changes.
Result<void> WorktreeModel::follow_git() {
  (void)tree_->consume_touched();
  delegate_.ask_for_rows([this] { return files_of_answers(); });
  return tell_as_git();
}

// git supplies the nearest tag. The other details are not reported.
void WorktreeModel::update_details_by_git() {
  using Known = BranchDetails::Known;
  if (!wants_details_) return;
  GitCommand command = git_.command({"describe", "--tags", "--long", "--always", "HEAD"});
  command.options.environment.push_back("GIT_NO_LAZY_FETCH=1");
  const Result<GitOutput> said = delegate_.ask_with_rows(command, {"git describe"});
  details_ = BranchDetails();
  details_->push_known = Known::kUnknown;
  if (!said.ok()) {
    details_->tag_known =
        said.error().code == ErrorCode::kPending ? Known::kPending : Known::kUnknown;
    return;
  }
  details_->tag_known = said->exit_code == 0 ? Known::kKnown : Known::kUnknown;
  if (said->exit_code == 0) details_->tag = described_tag(said->out);
}

Result<void> WorktreeModel::tell_as_git() {
  update_details_by_git();
  RESIDENT_TRY(std::optional<StatusResult> status, delegate_.consume_rows());
  if (!status) return {};
  StatusRows::Lists rows;
  for (ChangedEntry& entry : status->changed) rows.changed.emplace(entry.path, entry);
  for (UnmergedEntry& entry : status->unmerged) rows.unmerged.emplace(entry.path, entry);
  rows_.replace(std::move(rows));
  std::set<std::string> now(status->untracked.begin(), status->untracked.end());
  deltas_.mark_untracked(untracked_by_git_, now);
  untracked_by_git_ = std::move(now);
  // From git, not from the branch's files.
  branch_.replace(status->branch);
  return {};
}

}  // namespace resident
