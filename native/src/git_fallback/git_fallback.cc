#include "git_fallback/git_fallback.h"

#include <iterator>
#include <string_view>
#include <utility>

#include "base/cut_text.h"
#include "git_fallback/answer_files.h"
#include "git_fallback/prompt_by_git.h"
#include "refs/head_files.h"
#include "repo_state/user_files.h"
#include "repository/nested_repository.h"
#include "submodule/submodule_files.h"

namespace resident {

// --- Whether git answers

void GitFallback::begin(std::string reason, const Reported& before) {
  setup_.state.current_config().question().want_as_of(0);
  if (!is_active()) {
    untracked_ = before.untracked;
    branch_ = before.branch;
    details_ = before.details;
  }
  delegate_.begin(std::move(reason));
}

void GitFallback::end(const std::set<std::string>& untracked) {
  delegate_.end();
  setup_.deltas.mark_untracked(untracked_, untracked);
  untracked_.clear();
}

std::vector<std::string> GitFallback::deciding_files() const {
  const Repository& repository = setup_.repository;
  std::vector<std::string> files = {repository.index_path, repository.common_dir + "/config",
                                    repository.git_dir + "/config.worktree",
                                    repository.worktree + "/.gitmodules",
                                    // Without these, git does not accept the repository.
                                    repository.objects_dir, repository.common_dir + "/refs"};
  for (std::string& file :
       files_around_head(setup_.fs, repository.git_dir, repository.common_dir)) {
    files.push_back(std::move(file));
  }
  for (std::string& file : setup_.place_files()) files.push_back(std::move(file));
  if (!setup_.state.is_loaded()) return files;
  for (std::string& file : setup_.state.files()) files.push_back(std::move(file));
  for (std::string& file : setup_.state.objects().listed_files()) files.push_back(std::move(file));
  return files;
}

// Call before any of these files is read. The config must then come from a later answer of git.
void GitFallback::record_files() {
  setup_.state.current_config().question().want_as_of(delegate_.record_files());
}

void GitFallback::record_changed_files() {
  const bool is_recorded = setup_.state.current_config().question().wants_newer();
  if (!is_recorded && delegate_.files_changed()) record_files();
}

bool GitFallback::record_deciding_files() {
  FileSet files = FileSet::record(setup_.fs, deciding_files());
  if (delegate_.has_files(files.paths())) return false;
  delegate_.set_files(std::move(files));
  if (!setup_.git.runs_in_place()) {
    setup_.state.current_config().question().want_as_of(setup_.git.tasks().next());
  }
  return true;
}

bool GitFallback::may_be_over() {
  const bool may_be_over = delegate_.may_be_over();
  if (may_be_over) record_files();
  return may_be_over || delegate_.is_refuted();
}

// --- The rows for deltas

// All files around the worktree that decide git's answer; nullopt: too many to check, or an outside
// program decides too.
std::optional<std::vector<std::string>> GitFallback::answer_files() {
  programs_ = {};
  const Repository& repository = setup_.repository;
  const std::optional<std::vector<std::string>> repositories = setup_.repositories_below();
  // Changes can happen here without an event, or in another repository's objects.
  if (!repositories || repository.objects_dir != repository.common_dir + "/objects") {
    return std::nullopt;
  }
  Result<std::vector<std::string>> around = std::vector<std::string>();
  OutsidePrograms programs;
  if (setup_.state.is_loaded()) {
    around = setup_.state.files();
    programs = OutsidePrograms::of(setup_.fs, setup_.state.config());
  } else {
    const Result<Config> config = setup_.state.current_config().read();
    around = RepositoryState::files_around(repository, config);
    // git refuses an unreadable config, and then runs no program.
    if (config.ok()) programs = OutsidePrograms::of(setup_.fs, *config);
  }
  if (!around.ok()) return std::nullopt;
  std::vector<std::string> git_dirs = {repository.git_dir, repository.common_dir};
  // The repository that git finds if `.git` leads elsewhere now.
  if (const std::string found = git_directory_of(setup_.fs, repository.worktree); !found.empty()) {
    git_dirs.push_back(found);
    git_dirs.push_back(common_directory_of(setup_.fs, found));
  }
  FilesAroundSubmodules around_submodules;
  if (setup_.state.is_loaded()) {
    around_submodules = files_around_submodules(setup_.state.config(), repository);
  }
  for (const std::string& path : *repositories) {
    const std::string directory = repository.worktree + "/" + path;
    SubmoduleFiles below =
        submodule_files(setup_.fs, directory, repository.algorithm, around_submodules);
    if (!below.complete) return std::nullopt;
    programs.add(below.programs);
    std::move(below.paths.begin(), below.paths.end(), std::back_inserter(*around));
    const std::string git_dir = git_directory_of(setup_.fs, directory);
    if (git_dir.empty()) continue;
    git_dirs.push_back(git_dir);
    git_dirs.push_back(common_directory_of(setup_.fs, git_dir));
  }
  std::optional<std::vector<std::string>> files = resident::answer_files(setup_.fs, git_dirs);
  if (!files || !programs.are_known()) return std::nullopt;
  programs_ = std::move(programs);
  files->insert(files->end(), around->begin(), around->end());
  for (std::string& file : setup_.place_files()) files->push_back(std::move(file));
  files->push_back(repository.index_path);
  files->push_back(repository.worktree + "/.git");
  return files;
}

Result<void> GitFallback::update(bool happened) {
  const bool differs = happened || !programs_.hold(setup_.fs);
  return delegate_.are_rows_outdated(differs) ? ask_again() : report();
}

Result<void> GitFallback::ask_again() {
  delegate_.ask_for_rows([this] { return answer_files(); });
  return report();
}

void GitFallback::want_details(bool wanted) {
  wants_details_ = wanted;
  if (!wanted) details_.reset();
}

// git supplies the nearest tag. The other details are not reported.
void GitFallback::update_details() {
  using Known = BranchDetails::Known;
  if (!wants_details_) return;
  GitCommand command = setup_.git.command({"describe", "--tags", "--long", "--always", "HEAD"});
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

Result<void> GitFallback::report() {
  update_details();
  RESIDENT_TRY(std::optional<StatusResult> status, delegate_.consume_rows());
  if (!status) return {};
  TrackedRows rows;
  for (ChangedEntry& entry : status->changed) rows.changed.emplace(entry.path, entry);
  for (UnmergedEntry& entry : status->unmerged) rows.unmerged.emplace(entry.path, entry);
  setup_.deltas.rows().replace(std::move(rows));
  std::set<std::string> now(status->untracked.begin(), status->untracked.end());
  setup_.deltas.mark_untracked(untracked_, now);
  untracked_ = std::move(now);
  branch_ = std::move(status->branch);
  return {};
}

// --- Questions

Result<StatusResult> GitFallback::answer(const StatusQuery& query, Warnings warnings) {
  // No machine-readable format of git shows the operation.
  if (query.operation || warnings == Warnings::kRefused) {
    return Error{ErrorCode::kUnsupported, reason()};
  }
  return delegate_.ask_status(query);
}

Result<PromptStatus> GitFallback::prompt(const PromptQuery& query) {
  RESIDENT_TRY(PromptStatus status, prompt_by_git(setup_.fs, query, setup_.git, delegate_));
  status.worktree = setup_.repository.worktree;
  return status;
}

Result<std::vector<bool>> GitFallback::ignored(const std::vector<std::string>& paths) {
  std::string input;
  for (const std::string& path : paths) input.append(path).push_back('\0');
  GitCommand command = setup_.git.command({"check-ignore", "-z", "--stdin"});
  command.input = std::move(input);
  RESIDENT_TRY(const GitOutput output, delegate_.ask(command, {"git check-ignore"}));
  std::set<std::string_view> found;
  for (std::string_view rest = output.out; !rest.empty();) found.insert(cut(rest, '\0'));
  std::vector<bool> answers;
  for (const std::string& path : paths) answers.push_back(found.contains(path));
  return answers;
}

Result<std::optional<std::string>> GitFallback::content(const std::string& path, int stage) {
  std::string object = stage < 0 ? "HEAD" : ":" + std::to_string(stage);
  object.append(":").append(path);
  RESIDENT_TRY(GitOutput output,
               delegate_.ask(setup_.git.command({"cat-file", "blob", object}), {"git cat-file"}));
  if (output.exit_code != 0) return std::optional<std::string>();
  return std::optional(std::move(output.out));
}

Result<Explanation> GitFallback::explain(const std::string& /*path*/, bool /*as_directory*/) {
  return Error{ErrorCode::kUnsupported, reason()};
}

Result<GitOutput> GitFallback::output(const std::vector<std::string>& arguments,
                                      const std::string& prefix) {
  GitCommand command = setup_.git.command(arguments);
  if (!prefix.empty()) command.options.cwd += "/" + prefix;
  // These variables are part of the question, or a client that sets them runs git itself. They must
  // not come from this process.
  for (const char* change :
       {"LC_ALL=C", "LANGUAGE", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_PAGER_IN_USE", "GIT_TRACE", "PWD"}) {
    command.options.environment.emplace_back(change);
  }
  return delegate_.ask(command, {"git " + arguments.front()});
}

}  // namespace resident
