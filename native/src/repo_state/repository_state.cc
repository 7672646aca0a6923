#include "repo_state/repository_state.h"

#include <cstdlib>
#include <utility>

#include "history/action_name.h"
#include "repo_state/user_files.h"

namespace resident {

RepositoryState::RepositoryState(FileSystem& fs, Repository repository, MetadataGate* gate,
                                 BackgroundGit& git)
    : fs_(fs),
      gate_(gate),
      repository_(std::move(repository)),
      refs_(repository_.git_dir, repository_.common_dir, repository_.algorithm, fs),
      git_(fs, gate, git),
      config_(fs, repository_, gate, git, git_),
      objects_(fs, repository_, gate),
      overrides_(fs, gate, {repository_, git_, config_, refs_, objects_}),
      head_(fs, gate, refs_, objects_) {
}

Result<void> RepositoryState::load_all(std::optional<Config> config) {
  RESIDENT_CHECK(objects_.load());
  RESIDENT_CHECK(git_.load());
  RESIDENT_CHECK(config_.load(std::move(config)));
  refs_.use(config_.ref_storage());
  RESIDENT_CHECK(overrides_.load());
  RESIDENT_CHECK(head_.load());
  load_rules();
  load_attributes();
  load_operation();
  return {};
}

Result<void> RepositoryState::load(std::optional<Config> config) {
  RESIDENT_CHECK(load_all(std::move(config)));
  is_loaded_ = true;
  config_.question().mark_applied();
  return {};
}

bool RepositoryState::load_rules() {
  const std::string info = repository_.common_dir + "/info/exclude";
  const std::string user = user_excludes_file(config(), repository_);
  rule_files_ = FileSet::record(fs_, {info, user});
  std::vector<std::optional<std::string>> contents = contents_of({info, user}, rules_unreadable_);
  const PatternMatching matching{settings().ignore_case, settings().glob_sees_prefix};
  if (rule_contents_ == contents && rules_.matching == matching) return false;
  auto parse = [](const std::optional<std::string>& content) {
    return content ? PatternList::parse(*content, "") : nullptr;
  };
  rules_.info_exclude = parse(contents[0]);
  rules_.excludes_file = parse(contents[1]);
  rules_.matching = matching;
  rule_contents_ = std::move(contents);
  return true;
}

bool RepositoryState::load_attributes() {
  const std::string info = repository_.common_dir + "/info/attributes";
  const std::string user = user_attributes_file(config(), repository_);
  const std::string system = std::getenv("GIT_ATTR_NOSYSTEM") ? "" : system_attributes_file();
  const std::string sparse = repository_.git_dir + "/info/sparse-checkout";
  const bool was_unreadable = attributes_unreadable_;
  attribute_files_ = FileSet::record(fs_, {info, user, system, sparse});
  std::vector<std::optional<std::string>> contents =
      contents_of({info, user, system, sparse}, attributes_unreadable_);
  if (attribute_contents_ == contents && attributes_unreadable_ == was_unreadable) return false;
  attribute_contents_ = std::move(contents);
  return true;
}

bool RepositoryState::folds_index() const {
  return config().get_bool("index.sparse", false) && checks_out_cones();
}

bool RepositoryState::cones_are_unreadable() const {
  return checks_out_cones() && attribute_contents_[3] && !sparse_cone();
}

bool RepositoryState::checks_out_cones() const {
  return config().get_bool("core.sparsecheckout", false) &&
         config().get_bool("core.sparsecheckoutcone", false);
}

std::shared_ptr<const SparseCone> RepositoryState::sparse_cone() const {
  const std::optional<std::string>& patterns = attribute_contents_[3];
  return checks_out_cones() && patterns ? SparseCone::parse(*patterns, settings().ignore_case)
                                        : nullptr;
}

std::vector<std::optional<std::string>> RepositoryState::contents_of(
    const std::vector<std::string>& paths, bool& unreadable) const {
  std::vector<std::optional<std::string>> contents;
  unreadable = false;
  for (const std::string& path : paths) {
    Result<std::string> content =
        path.empty() ? Error{ErrorCode::kNotFound, ""} : fs_.read_file(path);
    unreadable |= !content.ok() && content.error().code != ErrorCode::kNotFound;
    contents.push_back(content.ok() ? std::optional(std::move(content).value()) : std::nullopt);
  }
  return contents;
}

void RepositoryState::load_operation() {
  const OperationSources sources{fs_, refs_, objects(), config(), git_rules(), repository_};
  operation_files_ = FileSet::record_found(fs_, [&] {
    const RefStore::Reading reading(refs_);
    std::vector<std::string> files;
    for (const char* name : {"MERGE_HEAD", "rebase-apply/applying", "BISECT_LOG"}) {
      files.push_back(repository_.git_dir + "/" + name);
    }
    for (const char* name : {"CHERRY_PICK_HEAD", "REVERT_HEAD"}) {
      append_files(files, refs_.files_of(name));
    }
    append_files(files, operation_step_files(sources));
    return files;
  });
  const RefStore::Reading reading(refs_);
  auto exists = [this](const char* name) {
    return fs_.lstat(repository_.git_dir + "/" + name).ok();
  };
  operation_ = exists("rebase-merge")               ? Operation::kRebase
               : exists("rebase-apply/applying")    ? Operation::kAm
               : exists("rebase-apply")             ? Operation::kRebase
               : exists("MERGE_HEAD")               ? Operation::kMerge
               : refs_.is_there("CHERRY_PICK_HEAD") ? Operation::kCherryPick
               : refs_.is_there("REVERT_HEAD")      ? Operation::kRevert
               : exists("BISECT_LOG")               ? Operation::kBisect
                                                    : Operation::kNone;
  operation_step_ = operation_ == Operation::kRebase || operation_ == Operation::kAm
                        ? read_operation_step(sources)
                        : std::string();
}

// While git has not answered, the earlier state stays in use.
Result<bool> RepositoryState::unless_pending(Result<bool> changed) {
  if (changed.ok() || changed.error().code != ErrorCode::kPending) return changed;
  awaits_git_ = true;
  return false;
}

Result<void> RepositoryState::refresh_config(bool is_stale) {
  const WorktreeSettings before = settings();
  RESIDENT_TRY(const bool changed, unless_pending(config_.refresh(is_stale)));
  if (refs_.use(config_.ref_storage())) mark_head_stale();
  unreported_.config |= changed;
  unreported_.settings |= !(before == settings());
  return {};
}

void RepositoryState::mark_head_stale() {
  head_.mark_stale();
  unreported_.head = unreported_.settings = true;
}

// Reads nothing while the config is outdated: such a config must not decide that git has to answer.
Result<void> RepositoryState::refresh_overrides() {
  if (unreported_.config) overrides_.mark_stale();
  if (awaits_git_) return {};
  RESIDENT_TRY(const bool changed, overrides_.refresh());
  if (changed) mark_head_stale();
  return {};
}

Result<void> RepositoryState::refresh_head() {
  RESIDENT_TRY(const bool changed, head_.refresh());
  unreported_.head |= changed;
  return {};
}

Result<void> RepositoryState::refresh_all() {
  awaits_git_ = false;
  const GitRules rules_before = git_rules();
  RESIDENT_TRY(const bool is_other_git, unless_pending(git_.refresh()));
  if (rules_before != git_rules()) unreported_.config = unreported_.settings = true;
  objects_.refresh();
  // The config comes first: it decides how refs are stored and whether objects are replaced.
  RESIDENT_CHECK(refresh_config(is_other_git));
  RESIDENT_CHECK(refresh_overrides());
  const std::string branch = head().ref;
  RESIDENT_CHECK(refresh_head());
  // HEAD can decide the config, and may have changed since the config was checked.
  const bool is_for_another = config().depends_on_head() && head().ref != branch;
  if (is_for_another || (unreported_.head && !config_.is_as_read())) {
    RESIDENT_CHECK(refresh_config(true));
    RESIDENT_CHECK(refresh_overrides());
    RESIDENT_CHECK(refresh_head());
  }
  const bool other_config = unreported_.config;
  if (other_config || rule_files_.changed(fs_, gate_)) unreported_.rules |= load_rules();
  if (other_config || attribute_files_.changed(fs_, gate_)) {
    unreported_.attributes |= load_attributes();
  }
  if (other_config || operation_files_.changed(fs_, gate_)) load_operation();
  return {};
}

Result<RepositoryState::Changes> RepositoryState::refresh() {
  RESIDENT_CHECK(refresh_all());
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
  // The file sets below may have been read under an earlier config.
  std::vector<std::string> files = config_.files();
  append_files(files, git_.files());
  append_files(files, head_.files());
  append_files(files, overrides_.files());
  for (const FileSet* set : {&rule_files_, &attribute_files_, &operation_files_}) {
    append_files(files, set->paths());
  }
  return files;
}

}  // namespace resident
