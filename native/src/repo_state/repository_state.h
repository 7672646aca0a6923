// RepositoryState: what surrounds the worktree and decides its status: the git on PATH, config,
// HEAD, ignore rules outside the tree, what git is in the middle of. Read once, then again only
// when the stat of a file says so, which a gate can spare.
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

// What git says of itself and of its config. kPending: it is being asked, and whoever gave this
// source knows when it has answered. What is empty is asked in place.
struct GitSource {
  std::function<Result<Config>()> config = {};
  std::function<Result<GitVersion>(const GitProgram&)> version = {};
};

class RepositoryState {
 public:
  // What refresh() found different.
  struct Changes {
    bool config = false;  // any value, or what the git on PATH makes of it
    // How worktree and index are compared, or what stands in for the objects that are read for it.
    bool settings = false;
    bool rules = false;       // info/exclude or core.excludesFile
    bool attributes = false;  // info/attributes, core.attributesFile or info/sparse-checkout
    // The commit or the branch, what stands in for its objects, or how git reads them.
    bool head = false;
  };

  // Repository-wide reasons for git to answer are kUnsupported.
  // `config`, where given, is what Config::load has just said. `gate` may be null. kPending: to be
  // called again once git has answered.
  static Result<std::unique_ptr<RepositoryState>> load(FileSystem& fs, Repository repository,
                                                       std::optional<Config> config = {},
                                                       MetadataGate* gate = nullptr,
                                                       GitSource source = {});

  // Re-checks every file by stat, but for what the gate covers, and reads again what changed. After
  // an error the state is as before, and the next call tries again. What git has yet to say stays
  // as it was, and awaits_git() tells so. `ask_again`: git is asked for its config too where that
  // may be another one though no file tells.
  Result<Changes> refresh(bool ask_again = true);
  bool awaits_git() const { return awaits_git_; }

  const Repository& repository() const { return repository_; }
  const Config& config() const { return *config_; }
  const WorktreeSettings& settings() const { return settings_; }
  // Those of the git on PATH.
  const GitRules& git_rules() const { return git_rules_; }
  // identity_of() that git, as of its rules.
  const std::string& git_identity() const { return git_identity_; }
  const ExcludeRules& rules() const { return rules_; }
  const Head& head() const { return head_; }
  // HEAD's tree; nullopt on an unborn branch.
  const std::optional<ObjectId>& head_tree() const { return head_tree_; }
  RefStore& refs() { return refs_; }
  ObjectDatabase& objects() { return *objects_; }
  // Lists packs and alternates anew where they are not as they were.
  void refresh_objects();
  Operation operation() const { return operation_; }
  // As StatusDelta has it.
  const std::string& operation_step() const { return operation_step_; }
  // The contents of info/attributes, of core.attributesFile and of the system's file.
  const std::vector<std::optional<std::string>>& attribute_contents() const {
    return attribute_contents_;
  }
  // Whether git writes a sparse index, and (GitRules::folds_index_on_reading) folds up as it reads
  // what may be sparse and is not.
  bool folds_index() const;
  // Cone mode, with patterns that are none of cones: git says so whenever it reads them.
  bool cones_are_unreadable() const;
  // Of info/sparse-checkout.
  const std::optional<std::string>& sparse_patterns() const { return attribute_contents_[3]; }
  // Null where there is no sparse checkout in cone mode.
  std::shared_ptr<const SparseCone> sparse_cone() const;

  // One of the files with attributes, or with ignore rules, is there and cannot be read: git says
  // so on standard error when it wants it.
  bool attributes_unreadable() const { return attributes_unreadable_; }
  bool rules_unreadable() const { return rules_unreadable_; }
  // A branch or a tag is called HEAD: git says at each look at HEAD that the name is ambiguous.
  bool head_is_ambiguous() const { return head_is_ambiguous_; }

  // Where the config is asked for.
  static ConfigPlace config_place(const Repository& repository);

  // Every file that refresh() looks at, the index not among them.
  std::vector<std::string> files() const;
  // Those of them outside of the git directories, where the repository itself cannot be read. An
  // error where the config cannot be read either.
  static Result<std::vector<std::string>> files_around(const Repository& repository,
                                                       const Result<Config>& config);

 private:
  // core.sparseCheckout in cone mode.
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
  // Both return whether any content is another one.
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
  std::string git_program_;  // the git on PATH
  std::string git_identity_;
  FileSet git_files_;  // which program that is
  // Not taken over yet, because of an error meanwhile.
  bool other_git_ = false;
  bool config_differs_ = false;
  bool awaits_git_ = false;
  bool history_differs_ = false;  // or may, by the config
  bool git_rules_differ_ = false;
  std::optional<Config> config_;
  // Around the worktree, by a config that came after `config_` and that only git can follow.
  std::vector<std::string> named_in_refused_;
  std::pair<std::string, bool> named_worktree_;  // in the config: where it is; that it is bare
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
  bool objects_differ_ = false;  // as git reads them, since HEAD's tree was read
  using Replaced = std::map<std::string, ObjectId>;  // by ref
  Replaced replaced_;
  bool head_is_ambiguous_ = false;
  bool attributes_unreadable_ = false;
  bool rules_unreadable_ = false;
  FileSet history_files_;
  Operation operation_ = Operation::kNone;
  std::string operation_step_;
  Changes unreported_;  // what refresh() found before it failed
  FileSet operation_files_;
};

}  // namespace resident
