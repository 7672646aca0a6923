#include "repo_state/repository_state.h"

#include <utility>

namespace resident {

RepositoryState::RepositoryState(FileSystem& fs, Repository repository, MetadataGate* gate,
                                 BackgroundGit& git)
    : repository_(std::move(repository)),
      refs_(repository_.git_dir, repository_.common_dir, repository_.algorithm, fs),
      git_(fs, gate, git),
      config_(fs, repository_, gate, git, git_),
      objects_(fs, repository_, gate),
      overrides_(fs, gate, parts()),
      head_(fs, gate, refs_, objects_),
      ignore_files_(fs, repository_, gate, config_),
      attributes_(fs, repository_, gate, config_),
      sparse_patterns_(fs, repository_, gate, config_),
      operation_(fs, gate, parts()) {
}

Result<void> RepositoryState::load_parts(std::optional<Config> config) {
  RESIDENT_CHECK(objects_.load());
  RESIDENT_CHECK(git_.load());
  RESIDENT_CHECK(config_.load(std::move(config)));
  refs_.use(config_.ref_storage());
  RESIDENT_CHECK(overrides_.load());
  RESIDENT_CHECK(head_.load());
  ignore_files_.load();
  attributes_.load();
  sparse_patterns_.load();
  operation_.load();
  return {};
}

Result<void> RepositoryState::load(std::optional<Config> config) {
  RESIDENT_CHECK(load_parts(std::move(config)));
  is_loaded_ = true;
  config_.question().mark_applied();
  return {};
}

// While git has not answered, the earlier state stays in use.
Result<bool> RepositoryState::unless_pending(Result<bool> changed) {
  if (changed.ok() || changed.error().code != ErrorCode::kPending) return changed;
  awaits_git_ = true;
  return false;
}

void RepositoryState::mark_head_stale() {
  head_.mark_stale();
  unreported_.head = unreported_.settings = true;
}

Result<void> RepositoryState::refresh_config(bool is_stale) {
  const WorktreeSettings before = settings();
  RESIDENT_TRY(const bool changed, unless_pending(config_.refresh(is_stale)));
  unreported_.config |= changed;
  unreported_.settings |= !(before == settings());
  if (refs_.use(config_.ref_storage())) mark_head_stale();
  return {};
}

Result<void> RepositoryState::refresh_git_and_config() {
  const GitRules before = git_rules();
  RESIDENT_TRY(const bool is_other_git, unless_pending(git_.refresh()));
  if (before != git_rules()) unreported_.config = unreported_.settings = true;
  return refresh_config(is_other_git);
}

Result<void> RepositoryState::refresh_history() {
  if (unreported_.config) overrides_.mark_stale();
  // An outdated config must not decide that git has to answer.
  if (!awaits_git_) {
    RESIDENT_TRY(const bool changed, overrides_.refresh());
    if (changed) mark_head_stale();
  }
  RESIDENT_TRY(const bool changed, head_.refresh());
  unreported_.head |= changed;
  return {};
}

Result<void> RepositoryState::refresh_parts() {
  awaits_git_ = false;
  objects_.refresh();
  // The config comes first: it decides how refs are stored and whether objects are replaced.
  RESIDENT_CHECK(refresh_git_and_config());
  const std::string branch = head().ref;
  RESIDENT_CHECK(refresh_history());
  // HEAD can decide the config, and may have changed since the config was checked.
  const bool is_for_another = config().depends_on_head() && head().ref != branch;
  if (is_for_another || (unreported_.head && !config_.is_as_read())) {
    RESIDENT_CHECK(refresh_config(true));
    RESIDENT_CHECK(refresh_history());
  }
  const bool other_config = unreported_.config;
  unreported_.rules |= ignore_files_.refresh(other_config);
  unreported_.attributes |= attributes_.refresh(other_config);
  unreported_.attributes |= sparse_patterns_.refresh(other_config);
  operation_.refresh(other_config);
  return {};
}

Result<RepositoryState::Changes> RepositoryState::refresh() {
  RESIDENT_CHECK(refresh_parts());
  if (!awaits_git_) config_.question().mark_applied();
  return std::exchange(unreported_, {});
}

Result<std::vector<std::string>> RepositoryState::files_around(const Repository& repository,
                                                               const Result<Config>& config) {
  if (!config.ok()) return config.error();
  std::vector<std::string> files = CurrentConfig::files_named_by(*config, repository);
  append_files(files, CurrentGit::files_of(git_program_places().back()));
  return files;
}

std::vector<std::string> RepositoryState::files() const {
  // The other parts may have been read under an earlier config.
  std::vector<std::string> files = config_.files();
  append_files(files, git_.files());
  append_files(files, ignore_files_.files());
  append_files(files, attributes_.files());
  append_files(files, sparse_patterns_.files());
  append_files(files, head_.files());
  append_files(files, overrides_.files());
  append_files(files, operation_.files());
  return files;
}

}  // namespace resident
