#include "repo_state/repository_state.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "config/config_value.h"
#include "git/git_program.h"
#include "history/action_name.h"
#include "odb/commit_reader.h"
#include "repo_state/repository_format.h"
#include "repo_state/user_files.h"

namespace resident {

namespace {

WorktreeSettings settings_from(const Config& config, const GitRules& rules) {
  WorktreeSettings settings;
  settings.trust_ctime = config.get_bool("core.trustctime", true);
  settings.check_stat = config.get("core.checkstat").value_or("default") != "minimal";
  settings.trust_file_mode = config.get_bool("core.filemode", true);
  settings.has_symlinks = config.get_bool("core.symlinks", true);
  settings.ignore_case = config.get_bool("core.ignorecase", false);
  settings.glob_sees_prefix = rules.glob_sees_prefix;
  settings.unskip_present = rules.unskips_present_files &&
                            config.get_bool("core.sparsecheckout", false) &&
                            !config.get_bool("sparse.expectfilesoutsideofpatterns", false);
  return settings;
}

// Where git looks for what "HEAD" may mean besides HEAD.
constexpr const char* kNamesakesOfHead[] = {"refs/HEAD", "refs/tags/HEAD", "refs/heads/HEAD",
                                            "refs/remotes/HEAD", "refs/remotes/HEAD/HEAD"};
constexpr const char* kReplace = "refs/replace/";

void append(std::vector<std::string>& files, std::vector<std::string> more) {
  for (std::string& file : more) files.push_back(std::move(file));
}

// As pending: what was there before stays.
bool is_pending(const Result<void>& result) {
  return !result.ok() && result.error().code == ErrorCode::kPending;
}

// What the config says of where the worktree is, and whether there is one. A linked worktree is
// told by an extension only.
std::pair<std::string, bool> worktree_named_in(const Config& config, const Repository& repository) {
  const bool is_linked = repository.git_dir != repository.common_dir;
  if (is_linked && !config.get_bool("extensions.worktreeconfig", false)) return {};
  return {std::string(config.get("core.worktree").value_or("")),
          config.get_bool("core.bare", false)};
}

// The files of the config, and those outside of the git directories that git reads by it.
std::vector<std::string> files_named_by(const Config& config, const Repository& repository) {
  std::vector<std::string> files = config.files();
  append(files, {user_excludes_file(config, repository), user_attributes_file(config, repository),
                 system_attributes_file()});
  return files;
}

// Another git can say something else. A relative path names another file in each working directory.
void append_git_program(std::vector<std::string>& files, const std::string& program) {
  if (program.starts_with('/')) files.push_back(program);
}

bool operator==(const WorktreeSettings& a, const WorktreeSettings& b) {
  return a.trust_ctime == b.trust_ctime && a.check_stat == b.check_stat &&
         a.trust_file_mode == b.trust_file_mode && a.has_symlinks == b.has_symlinks &&
         a.ignore_case == b.ignore_case && a.unskip_present == b.unskip_present &&
         a.glob_sees_prefix == b.glob_sees_prefix;
}

}  // namespace

RepositoryState::RepositoryState(FileSystem& fs, Repository repository, MetadataGate* gate,
                                 GitSource source)
    : fs_(fs),
      gate_(gate),
      source_(std::move(source)),
      repository_(std::move(repository)),
      refs_(repository_.git_dir, repository_.common_dir, repository_.algorithm, fs) {
}

Result<std::unique_ptr<RepositoryState>> RepositoryState::load(FileSystem& fs,
                                                               Repository repository,
                                                               std::optional<Config> config,
                                                               MetadataGate* gate,
                                                               GitSource source) {
  std::unique_ptr<RepositoryState> state(
      new RepositoryState(fs, std::move(repository), gate, std::move(source)));
  ObjectDatabase::Options options;
  options.algorithm = state->repository_.algorithm;
  if (const char* alternates = std::getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES")) {
    options.alternate_directories = alternates;
  }
  RESIDENT_TRY(state->objects_, ObjectDatabase::open(state->repository_.objects_dir, options));
  RESIDENT_CHECK(state->load_git());
  RESIDENT_CHECK(config ? state->use_config(std::move(*config)) : state->load_config());
  state->git_rules_differ_ = false;
  state->load_rules();
  state->load_attributes();
  state->load_operation();
  RESIDENT_CHECK(state->load_history());
  RESIDENT_CHECK(state->load_head());
  return state;
}

// Replaced objects and grafts make other trees and another history of the same ids. Of grafts git
// says in words that it should have none.
Result<void> RepositoryState::load_history() {
  const std::string grafts = repository_.common_dir + "/info/grafts";
  const std::string shallow = repository_.common_dir + "/shallow";
  FileSet recorded = FileSet::record_found(fs_, [&] {
    std::vector<std::string> files = refs_.files_below(kReplace);
    append(files, {grafts, shallow});
    return files;
  });
  for (const char* name :
       {"GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE", "GIT_ATTR_SOURCE"}) {
    if (std::getenv(name)) {
      return Error{ErrorCode::kUnsupported, repository_.worktree + ": " + name + " is set"};
    }
  }
  if (config_->find("attr.tree")) {
    return Error{ErrorCode::kUnsupported, repository_.worktree + ": attr.tree is set"};
  }
  if (fs_.lstat(grafts).ok()) return Error{ErrorCode::kUnsupported, grafts + ": grafts are in use"};
  Replaced replaced;
  if (config_->get_bool("core.usereplacerefs", !std::getenv("GIT_NO_REPLACE_OBJECTS"))) {
    auto refs = refs_.refs_below(kReplace);
    if (!refs.ok()) {
      // git has its own words for a ref that leads nowhere.
      return Error{ErrorCode::kUnsupported, std::move(refs).error().message};
    }
    replaced = std::move(refs).value();
  }
  ObjectDatabase::Replacements replacements;
  for (const auto& [name, instead] : replaced) {
    auto id = ObjectId::from_hex(std::string_view(name).substr(name.rfind('/') + 1));
    const bool is_new =
        id && id->algorithm() == repository_.algorithm && replacements.emplace(*id, instead).second;
    if (!is_new)
      return Error{ErrorCode::kUnsupported, name + ": not the name of an object to replace"};
  }
  if (replaced != replaced_) {
    replaced_ = std::move(replaced);
    objects_->set_replacements(std::move(replacements));
    head_loaded_ = false;
  }
  // Of a line in it that names no commit git says so, and goes no further.
  if (auto cut = read_shallow_file(fs_, shallow, repository_.algorithm); !cut.ok()) {
    return Error{ErrorCode::kUnsupported, std::move(cut).error().message};
  }
  // What is not the history that was stored, git does not take from its commit-graph.
  const bool is_stored = replaced_.empty() && !fs_.stat(shallow).ok();
  objects_->use({.multi_pack_index = config_->get_bool("core.multipackindex", true),
                 .multi_pack_index_chain = git_rules_.reads_multi_pack_index_chains,
                 .multi_pack_index_version_2 = git_rules_.reads_multi_pack_index_version_2,
                 .commit_graph = is_stored && config_->get_bool("core.commitgraph", true)});
  // With other aids a commit can have another tree.
  objects_differ_ |= objects_->refresh();
  history_files_ = std::move(recorded);
  return {};
}

Result<GitRules> RepositoryState::rules_of(const std::optional<GitProgram>& program) const {
  if (!source_.version) return current_git_rules();
  if (!program) return Error{ErrorCode::kNotFound, "git: not on PATH"};
  RESIDENT_TRY(const GitVersion version, source_.version(*program));
  RESIDENT_CHECK(check_git_version(version));
  return resident::git_rules(version);
}

Result<void> RepositoryState::load_git() {
  std::vector<std::string> places = git_program_places();
  FileSet recorded = FileSet::record(fs_, places);
  const std::optional<GitProgram> program = git_on_path();
  RESIDENT_TRY(const GitRules rules, rules_of(program));
  git_rules_differ_ |= rules != git_rules_;
  git_rules_ = rules;
  git_program_ = places.back();
  git_identity_ = program ? identity_of(*program) : "";
  git_files_ = std::move(recorded);
  return {};
}

ConfigPlace RepositoryState::config_place(const Repository& repository) {
  return {repository.worktree, repository.worktree, repository.git_dir, repository.common_dir};
}

Result<void> RepositoryState::load_config() {
  RESIDENT_TRY(Config config,
               source_.config ? source_.config() : Config::load(fs_, config_place(repository_)));
  return use_config(std::move(config));
}

bool RepositoryState::config_is_fresh(bool ask_again) {
  return (config_->is_settled() || !ask_again) &&
         unchanged(gate_, config_coverage_, config_->files(),
                   [this](size_t file) { return config_->is_as_read(fs_, file); });
}

void RepositoryState::refresh_objects() {
  if (!object_files_.paths().empty() && !object_files_.changed(fs_, gate_)) return;
  objects_differ_ |= objects_->refresh();
  object_files_ = FileSet::record(fs_, objects_->listed_files());
  // What changed in between is listed too.
  objects_differ_ |= objects_->refresh();
}

Result<void> RepositoryState::use_config(Config config) {
  named_in_refused_ = files_named_by(config, repository_);
  const WorktreeSettings settings = settings_from(config, git_rules_);
  RESIDENT_CHECK(check_format(fs_, config, repository_));
  auto worktree = worktree_named_in(config, repository_);
  if (config_ && worktree != named_worktree_) {
    return Error{ErrorCode::kUnsupported,
                 repository_.worktree + ": the config now names a different worktree"};
  }
  named_worktree_ = std::move(worktree);
  RESIDENT_TRY(const RefStorage storage, ref_storage_from(config, repository_));
  if (refs_.use(storage)) head_loaded_ = false;
  settings_ = settings;
  config_ = std::move(config);
  config_coverage_ = {};
  named_in_refused_.clear();
  return {};
}

Result<void> RepositoryState::load_head() {
  FileSet recorded = FileSet::record_found(fs_, [this] {
    const RefStore::Reading reading(refs_);
    std::vector<std::string> files = refs_.files_of("HEAD");
    for (const char* name : kNamesakesOfHead) append(files, refs_.files_of(name));
    return files;
  });
  const RefStore::Reading reading(refs_);
  Result<Head> found = refs_.head();
  if (!found.ok()) {
    // git has its own ways with a HEAD that leads nowhere.
    return Error{ErrorCode::kUnsupported, std::move(found).error().message};
  }
  Head head = std::move(found).value();
  if (!head_loaded_ || objects_differ_ || head.id != head_.id) {
    std::optional<ObjectId> tree;
    if (head.id) {
      RESIDENT_TRY(tree, objects_->tree_of_commit(*head.id));
    }
    head_tree_ = tree;
  }
  head_ = std::move(head);
  head_is_ambiguous_ = false;
  // A broken one is spoken of too.
  for (const char* name : kNamesakesOfHead) head_is_ambiguous_ |= refs_.is_there(name);
  head_files_ = std::move(recorded);
  head_loaded_ = true;
  objects_differ_ = false;
  return {};
}

bool RepositoryState::load_rules() {
  const std::string info = repository_.common_dir + "/info/exclude";
  const std::string user = user_excludes_file(*config_, repository_);
  rule_files_ = FileSet::record(fs_, {info, user});
  std::vector<std::optional<std::string>> contents = contents_of({info, user}, rules_unreadable_);
  const PatternMatching matching{settings_.ignore_case, settings_.glob_sees_prefix};
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
  const std::string user = user_attributes_file(*config_, repository_);
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
  return config_->get_bool("index.sparse", false) && checks_out_cones();
}

bool RepositoryState::cones_are_unreadable() const {
  return checks_out_cones() && attribute_contents_[3] && !sparse_cone();
}

bool RepositoryState::checks_out_cones() const {
  return config_->get_bool("core.sparsecheckout", false) &&
         config_->get_bool("core.sparsecheckoutcone", false);
}

std::shared_ptr<const SparseCone> RepositoryState::sparse_cone() const {
  const std::optional<std::string>& patterns = attribute_contents_[3];
  return checks_out_cones() && patterns ? SparseCone::parse(*patterns, settings_.ignore_case)
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
  const OperationSources sources{fs_, refs_, *objects_, *config_, git_rules_, repository_};
  operation_files_ = FileSet::record_found(fs_, [&] {
    const RefStore::Reading reading(refs_);
    std::vector<std::string> files;
    for (const char* name : {"MERGE_HEAD", "rebase-apply/applying", "BISECT_LOG"}) {
      files.push_back(repository_.git_dir + "/" + name);
    }
    for (const char* name : {"CHERRY_PICK_HEAD", "REVERT_HEAD"}) {
      append(files, refs_.files_of(name));
    }
    append(files, operation_step_files(sources));
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

Result<void> RepositoryState::refresh_head() {
  if (head_loaded_ && !objects_differ_ && !head_files_.changed(fs_, gate_)) return {};
  const bool same_objects = head_loaded_;
  const bool read_otherwise = objects_differ_;
  const Head before = head_;
  RESIDENT_CHECK(load_head());
  unreported_.head |= !same_objects || read_otherwise || !(before == head_);
  unreported_.settings |= !same_objects;
  return {};
}

Result<void> RepositoryState::refresh_config() {
  const WorktreeSettings before = settings_;
  const std::vector<ConfigEntry> entries = config_->entries();
  Result<void> loaded = load_config();
  if (is_pending(loaded)) {
    awaits_git_ = true;
    return {};
  }
  RESIDENT_CHECK(std::move(loaded));
  config_differs_ = false;
  unreported_.config |= entries != config_->entries();
  unreported_.settings |= !(before == settings_);
  return {};
}

// What it waits for, it waits for with what was there before.
Result<void> RepositoryState::refresh_git() {
  Result<void> loaded = load_git();
  if (loaded.ok()) other_git_ = true;
  awaits_git_ |= is_pending(loaded);
  return is_pending(loaded) ? Result<void>() : loaded;
}

// Not by a config that is out of date: that git has to answer does not follow from it.
Result<void> RepositoryState::refresh_history() {
  history_differs_ |= unreported_.config || history_files_.changed(fs_, gate_);
  if (!history_differs_ || awaits_git_) return {};
  RESIDENT_CHECK(load_history());
  history_differs_ = false;
  return {};
}

Result<void> RepositoryState::refresh_all(bool ask_again) {
  awaits_git_ = false;
  if (git_files_.changed(fs_, gate_)) RESIDENT_CHECK(refresh_git());
  refresh_objects();
  // First, because it says how refs are kept, and whether objects are replaced. Another git can
  // have another config of the system.
  config_differs_ |= std::exchange(other_git_, false) || !config_is_fresh(ask_again);
  if (config_differs_) RESIDENT_CHECK(refresh_config());
  if (std::exchange(git_rules_differ_, false)) unreported_.config = unreported_.settings = true;
  RESIDENT_CHECK(refresh_history());
  const std::string branch = head_.ref;
  RESIDENT_CHECK(refresh_head());
  // HEAD can decide the config, and can have changed since that was looked at.
  const bool is_for_another = config_->depends_on_head() && head_.ref != branch;
  if (is_for_another || (unreported_.head && !config_is_fresh(false))) {
    config_differs_ = true;
    RESIDENT_CHECK(refresh_config());
    RESIDENT_CHECK(refresh_history());
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

Result<RepositoryState::Changes> RepositoryState::refresh(bool ask_again) {
  RESIDENT_CHECK(refresh_all(ask_again));
  return std::exchange(unreported_, {});
}

Result<std::vector<std::string>> RepositoryState::files_around(const Repository& repository,
                                                               const Result<Config>& config) {
  if (!config.ok()) return config.error();
  std::vector<std::string> files = files_named_by(*config, repository);
  append_git_program(files, git_program_places().back());
  return files;
}

std::vector<std::string> RepositoryState::files() const {
  // What is read by the config can have been read by an earlier one.
  std::vector<std::string> files = files_named_by(*config_, repository_);
  files.insert(files.end(), named_in_refused_.begin(), named_in_refused_.end());
  append_git_program(files, git_program_);
  for (const FileSet* set :
       {&rule_files_, &attribute_files_, &head_files_, &history_files_, &operation_files_}) {
    files.insert(files.end(), set->paths().begin(), set->paths().end());
  }
  return files;
}

}  // namespace resident
