// RepositoryState: the data around the worktree that decides its status. It includes the git on
// PATH, config, HEAD, ignore rules outside of the tree, and the operation in progress. Files are
// read once, and again only if their stat changes. A gate can skip these checks.
//
// Threads: one owner thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "delta/status_delta.h"
#include "refs/ref_store.h"
#include "repo_state/background_git.h"
#include "repo_state/current_config.h"
#include "repo_state/current_git.h"
#include "repo_state/current_head.h"
#include "repo_state/current_objects.h"
#include "repo_state/file_set.h"
#include "repo_state/history_overrides.h"
#include "repository/repository.h"
#include "status/exclude_rules.h"
#include "status/sparse_cone.h"

namespace resident {

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

  // Parameters are as for BackgroundGit and MetadataGate; they must outlive this object. A null
  // `gate` skips no check.
  RepositoryState(FileSystem& fs, Repository repository, MetadataGate* gate, BackgroundGit& git);

  // Reads everything. After an error, call it again: nothing else may be used except files of the
  // config's question. Errors for the whole repository that leave the answer to git are
  // kUnsupported. kPending: git has been asked. A given `config` is a fresh result of Config::load.
  Result<void> load(std::optional<Config> config = {});
  bool is_loaded() const { return is_loaded_; }

  // Checks every file by stat, except for files that the gate covers, and rereads changed ones.
  // After an error, the state is unchanged and the next call tries again. While an answer of git is
  // pending, the earlier state stays in use and awaits_git() is true.
  Result<Changes> refresh();
  bool awaits_git() const { return awaits_git_; }
  // Usable before load().
  CurrentConfig& current_config() { return config_; }
  const CurrentConfig& current_config() const { return config_; }

  const Config& config() const { return config_.get(); }
  const WorktreeSettings& settings() const { return config_.settings(); }
  // The rules of the git on PATH.
  const GitRules& git_rules() const { return git_.rules(); }
  // identity_of() the git with these rules.
  const std::string& git_identity() const { return git_.identity(); }
  const ExcludeRules& rules() const { return rules_; }
  const Head& head() const { return head_.get(); }
  // HEAD's tree; nullopt on an unborn branch.
  const std::optional<ObjectId>& head_tree() const { return head_.tree(); }
  RefStore& refs() { return refs_; }
  ObjectDatabase& objects() { return objects_.get(); }
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
  bool head_is_ambiguous() const { return head_.is_ambiguous(); }

  // Every file that refresh() checks, except for the index.
  std::vector<std::string> files() const;
  // The files outside of the git directories, for a repository that cannot be read. An error if the
  // config cannot be read either.
  static Result<std::vector<std::string>> files_around(const Repository& repository,
                                                       const Result<Config>& config);

 private:
  // True if core.sparseCheckout is set and in cone mode.
  bool checks_out_cones() const;

  Result<void> load_all(std::optional<Config> config);
  Result<void> refresh_all();
  Result<bool> unless_pending(Result<bool> changed);
  Result<void> refresh_config(bool is_stale);
  Result<void> refresh_overrides();
  Result<void> refresh_head();
  void mark_head_stale();
  // Both return true if a content has changed.
  bool load_rules();
  bool load_attributes();
  std::vector<std::optional<std::string>> contents_of(const std::vector<std::string>& paths,
                                                      bool& unreadable) const;
  void load_operation();

  FileSystem& fs_;
  MetadataGate* const gate_;
  const Repository repository_;
  RefStore refs_;
  CurrentGit git_;
  CurrentConfig config_;
  CurrentObjects objects_;
  HistoryOverrides overrides_;
  CurrentHead head_;
  bool is_loaded_ = false;
  bool awaits_git_ = false;
  ExcludeRules rules_;
  FileSet rule_files_;
  std::vector<std::optional<std::string>> rule_contents_;
  FileSet attribute_files_;
  std::vector<std::optional<std::string>>
      attribute_contents_;  // info/attributes, core.attributesFile, system, info/sparse-checkout
  bool attributes_unreadable_ = false;
  bool rules_unreadable_ = false;
  Operation operation_ = Operation::kNone;
  std::string operation_step_;
  Changes unreported_;  // changes that refresh() found before it failed
  FileSet operation_files_;
};

}  // namespace resident
