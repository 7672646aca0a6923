#include "repo_state/current_config.h"

#include "repo_state/repository_format.h"
#include "repo_state/user_files.h"

namespace resident {

namespace {

WorktreeSettings settings_from(const Config& config, const GitRules& rules,
                               const Capabilities& capabilities) {
  WorktreeSettings settings;
  settings.trust_ctime = config.get_bool("core.trustctime", true);
  settings.check_stat = config.get("core.checkstat").value_or("default") != "minimal";
  settings.trust_file_mode = config.get_bool("core.filemode", true);
  settings.has_symlinks = config.get_bool("core.symlinks", capabilities.symbolic_links);
  settings.compare_inodes = capabilities.inodes;
  settings.ignore_case = config.get_bool("core.ignorecase", false);
  settings.glob_sees_prefix = rules.glob_sees_prefix;
  settings.unskip_present = rules.unskips_present_files &&
                            config.get_bool("core.sparsecheckout", false) &&
                            !config.get_bool("sparse.expectfilesoutsideofpatterns", false);
  return settings;
}

// Returns core.worktree and core.bare. They apply to a linked worktree only with an extension.
std::pair<std::string, bool> worktree_named_in(const Config& config, const Repository& repository) {
  const bool is_linked = repository.git_dir != repository.common_dir;
  if (is_linked && !config.get_bool("extensions.worktreeconfig", false)) return {};
  return {std::string(config.get("core.worktree").value_or("")),
          config.get_bool("core.bare", false)};
}

}  // namespace

ConfigPlace CurrentConfig::place(const Repository& repository) {
  return {repository.worktree, repository.worktree, repository.git_dir, repository.common_dir};
}

std::vector<std::string> CurrentConfig::files_named_by(const Config& config,
                                                       const Repository& repository) {
  std::vector<std::string> files = config.files();
  append_files(files, {user_excludes_file(config, repository),
                       user_attributes_file(config, repository), system_attributes_file()});
  return files;
}

Result<Config> CurrentConfig::read() {
  return git_.runs_in_place() ? Config::load(fs_, place(repository_))
                              : question_.ask(config_ ? &*config_ : nullptr);
}

Result<void> CurrentConfig::use(Config config) {
  named_in_refused_ = files_named_by(config, repository_);
  RESIDENT_CHECK(check_format(fs_, config, repository_));
  auto worktree = worktree_named_in(config, repository_);
  if (config_ && worktree != named_worktree_) {
    return Error{ErrorCode::kUnsupported,
                 repository_.worktree + ": the config now names a different worktree"};
  }
  RESIDENT_TRY(ref_storage_, ref_storage_from(config, repository_));
  named_worktree_ = std::move(worktree);
  settings_ = settings_from(config, program_.rules(), fs_.capabilities());
  config_ = std::move(config);
  coverage_ = {};
  is_stale_ = false;
  named_in_refused_.clear();
  return {};
}

Result<void> CurrentConfig::load(std::optional<Config> config) {
  config_.reset();
  if (config) return use(*std::move(config));
  RESIDENT_TRY(Config from_git, read());
  return use(std::move(from_git));
}

bool CurrentConfig::is_as_read() {
  return unchanged(gate_, coverage_, config_->files(),
                   [this](size_t file) { return config_->is_as_read(fs_, file); });
}

bool CurrentConfig::is_fresh() {
  return (config_->is_settled() || !question_.is_to_be_asked_again()) && is_as_read();
}

Result<bool> CurrentConfig::refresh(bool is_stale) {
  is_stale_ |= is_stale || !is_fresh();
  if (!is_stale_) return false;
  RESIDENT_TRY(Config config, read());
  const std::vector<ConfigEntry> before = config_->entries();
  RESIDENT_CHECK(use(std::move(config)));
  const bool changed = before != config_->entries();
  if (changed) question_.invalidate_unsettled();
  return changed;
}

std::vector<std::string> CurrentConfig::files() const {
  std::vector<std::string> files = files_named_by(*config_, repository_);
  append_files(files, named_in_refused_);
  return files;
}

}  // namespace resident
