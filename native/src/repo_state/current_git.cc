#include "repo_state/current_git.h"

#include <utility>

namespace resident {

Result<GitRules> CurrentGit::rules_of(const std::optional<GitProgram>& program) {
  if (git_.runs_in_place()) return current_git_rules();
  if (!program) return Error{ErrorCode::kNotFound, "git: not on PATH"};
  RESIDENT_TRY(const GitVersion version, version_.ask(*program));
  RESIDENT_CHECK(check_git_version(version));
  return git_rules(version);
}

Result<void> CurrentGit::load() {
  std::vector<std::string> places = git_program_places();
  FileSet recorded = FileSet::record(fs_, places);
  const std::optional<GitProgram> program = git_on_path();
  RESIDENT_TRY(rules_, rules_of(program));
  program_ = places.back();
  identity_ = program ? identity_of(*program) : "";
  places_ = std::move(recorded);
  return {};
}

Result<bool> CurrentGit::refresh() {
  if (!places_.changed(fs_, gate_)) return false;
  RESIDENT_CHECK(load());
  return true;
}

std::vector<std::string> CurrentGit::files_of(const std::string& program) {
  if (!program.starts_with('/')) return {};
  return {program};
}

}  // namespace resident
