// RepositoryState: the data around the worktree that decides its status. It includes the git on
// PATH, config, HEAD, ignore rules outside of the tree, and the operation in progress. Files are
// read once, and again only if their stat changes. A gate can skip these checks.
//
// Threads: one owner thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "delta/status_delta.h"
#include "git/git_program.h"
#include "git/git_rules.h"
#include "odb/object_database.h"
#include "refs/ref_store.h"
#include "repo_state/file_set.h"
#include "repository/repository.h"
#include "status/exclude_rules.h"
#include "status/settings.h"
#include "status/sparse_cone.h"

namespace resident {

// git's version and config. kPending: git has been asked; the provider of this source knows when it
// answers. An empty function: git is asked in place.
struct GitSource {
  std::function<Result<Config>()> config = {};
  std::function<Result<GitVersion>(const GitProgram&)> version = {};
};

class RepositoryState {
 public:
  // The changes that refresh() found.
  struct Changes {
    bool config = false;  // any value, or its meaning for the git on PATH
    // How worktree and index are compared, or the replacements of objects read for it.
    bool settings = false;
    bool rules = false;       // info/exclude or core.excludesFile
    bool attributes = false;  // info/attributes, core.attributesFile or info/sparse-checkout
    // The commit or the branch, the replacements of its objects, or how git reads them.
    bool head = false;
  };

  // Errors for the whole repository that leave the answer to git are kUnsupported. A given `config`
  // is a fresh result of Config::load. A null `gate` skips no check. Error kPending: call it again
  // after git has answered.
  static Result<std::unique_ptr<RepositoryState>> load(FileSystem& fs, Repository repository,
                                                       std::optional<Config> config = {},
                                                       MetadataGate* gate = nullptr,
                                                       GitSource source = {});

  // Checks every file by stat, except for files that the gate covers, and rereads changed ones.
  // After an error, the state is unchanged and the next call tries again. While an answer of git is
  // pending, the earlier state stays in use and awaits_git() is true. With `ask_again`, it also
  // asks git for a config that may have changed without a file.
  Result<Changes> refresh(bool ask_again = true);
  bool awaits_git() const { return awaits_git_; }

  const Repository& repository() const { return repository_; }
  const Config& config() const { return *config_; }
  const WorktreeSettings& settings() const { return settings_; }
  // The rules of the git on PATH.
  const GitRules& git_rules() const { return git_rules_; }
  // identity_of() the git with these rules.
  const std::string& git_identity() const { return git_identity_; }
  const ExcludeRules& rules() const { return rules_; }
  const Head& head() const { return head_; }
  // HEAD's tree; nullopt on an unborn branch.
  const std::optional<ObjectId>& head_tree() const { return head_tree_; }
  RefStore& refs() { return refs_; }
  ObjectDatabase& objects() { return *objects_; }
  // Rescans packs and alternates if their directories changed.
  void refresh_objects();
  Operation operation() const { return operation_; }
  // In the format of StatusDelta.
  const std::string& operation_step() const { return operation_step_; }
  // The contents of info/attributes, core.attributesFile, and the system's attributes file.
  const std::vector<std::optional<std::string>>& attribute_contents() const {
    return attribute_contents_;
  }
  // True if git writes a sparse index. With GitRules::folds_index_on_reading, git then also makes a
  // full index sparse when it reads the index.
  bool folds_index() const;
  // True in cone mode with patterns that are not cones: git warns each time it reads them.
  bool cones_are_unreadable() const;
  // The content of info/sparse-checkout.
  const std::optional<std::string>& sparse_patterns() const { return attribute_contents_[3]; }
  // Null without a sparse checkout in cone mode.
  std::shared_ptr<const SparseCone> sparse_cone() const;

  // True if a file with attributes, or with ignore rules, exists but is unreadable. Git warns about
  // it on standard error when it needs the file.
  bool attributes_unreadable() const { return attributes_unreadable_; }
  bool rules_unreadable() const { return rules_unreadable_; }
  // A branch or a tag has the name HEAD. git warns at each use of HEAD that it is ambiguous.
  bool head_is_ambiguous() const { return head_is_ambiguous_; }

  // The place for which the config is asked.
  static ConfigPlace config_place(const Repository& repository);

  // Every file that refresh() checks, except for the index.
  std::vector<std::string> files() const;
  // The files outside of the git directories, for a repository that cannot be read. An error if the
  // config cannot be read either.
  static Result<std::vector<std::string>> files_around(const Repository& repository,
                                                       const Result<Config>& config);

 private:
  // True if core.sparseCheckout is set and in cone mode.
  bool checks_out_cones() const;
  RepositoryState(FileSystem& fs, Repository repository, MetadataGate* gate, GitSource source);

  Result<GitRules> rules_of(const std::optional<GitProgram>& program) const;
  Result<void> load_git();
  Result<void> load_config();
  bool config_is_fresh(bool ask_again);
  Result<void> use_config(Config config);
  Result<void> refresh_all(bool ask_again);
  Result<void> refresh_git();
  Result<void> refresh_history();
  Result<void> refresh_config();
  Result<void> load_head();
  Result<void> load_history();
  Result<void> refresh_head();
  // Both return true if a content has changed.
  bool load_rules();
  bool load_attributes();
  std::vector<std::optional<std::string>> contents_of(const std::vector<std::string>& paths,
                                                      bool& unreadable) const;
  void load_operation();

  FileSystem& fs_;
  MetadataGate* const gate_;
  const GitSource source_;
  const Repository repository_;
  RefStore refs_;
  std::unique_ptr<ObjectDatabase> objects_;
  FileSet object_files_;

  GitRules git_rules_;
  std::string git_program_;  // path of the git on PATH
  std::string git_identity_;
  FileSet git_files_;  // the files that decide which program this is
  // Found, but not applied yet, because an error came between.
  bool other_git_ = false;
  bool config_differs_ = false;
  bool awaits_git_ = false;
  bool history_differs_ = false;  // or may differ, by the config
  bool git_rules_differ_ = false;
  std::optional<Config> config_;
  // Files named by a newer config than `config_`, which only git supports.
  std::vector<std::string> named_in_refused_;
  std::pair<std::string, bool> named_worktree_;  // from the config: the worktree's path; true: bare
  MetadataGate::Coverage config_coverage_;
  WorktreeSettings settings_;
  ExcludeRules rules_;
  FileSet rule_files_;
  std::vector<std::optional<std::string>> rule_contents_;
  FileSet attribute_files_;
  std::vector<std::optional<std::string>>
      attribute_contents_;  // info/attributes, core.attributesFile, system, info/sparse-checkout
  Head head_;
  std::optional<ObjectId> head_tree_;
  FileSet head_files_;
  bool head_loaded_ = false;
  bool objects_differ_ = false;  // git reads them differently since HEAD's tree was read
  using Replaced = std::map<std::string, ObjectId>;  // by ref
  Replaced replaced_;
  bool head_is_ambiguous_ = false;
  bool attributes_unreadable_ = false;
  bool rules_unreadable_ = false;
  FileSet history_files_;
  Operation operation_ = Operation::kNone;
  std::string operation_step_;
  Changes unreported_;  // changes that refresh() found before it failed
  FileSet operation_files_;
};

}  // namespace resident
