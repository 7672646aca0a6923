// RepositoryState: the data around the worktree that decides its status. Each part reads its own
// files once, and again only if their stat changes; this class orders the parts. A gate can skip
// the checks.
//
// Each part has load(), which reads everything anew; refresh(), which returns whether something has
// changed; and files(), which decide the part.
//
// Threads: one owner thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "refs/ref_store.h"
#include "repo_state/attribute_files.h"
#include "repo_state/background_git.h"
#include "repo_state/current_config.h"
#include "repo_state/current_git.h"
#include "repo_state/current_head.h"
#include "repo_state/current_objects.h"
#include "repo_state/current_operation.h"
#include "repo_state/history_overrides.h"
#include "repo_state/ignore_files.h"
#include "repo_state/sparse_patterns.h"
#include "repository/repository.h"

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

  // `fs`, `git` and `gate` must outlive this object. A null `gate` skips no check.
  RepositoryState(FileSystem& fs, Repository repository, MetadataGate* gate, BackgroundGit& git);

  // Reads everything. After an error, call it again; until then only current_config() is usable.
  // Errors for the whole repository that leave the answer to git are kUnsupported. kPending: git
  // has been asked. A given `config` is a fresh result of Config::load.
  Result<void> load(std::optional<Config> config = {});
  bool is_loaded() const { return is_loaded_; }

  // Checks every file by stat, except for files that the gate covers, and rereads changed ones.
  // After an error, the state is unchanged and the next call tries again. While an answer of git is
  // pending, the earlier state stays in use and awaits_git() is true.
  Result<Changes> refresh();
  bool awaits_git() const { return awaits_git_; }

  CurrentConfig& current_config() { return config_; }
  const Config& config() const { return config_.get(); }
  const WorktreeSettings& settings() const { return config_.settings(); }
  // The rules of the git on PATH.
  const GitRules& git_rules() const { return git_.rules(); }
  const std::string& git_identity() const { return git_.identity(); }
  const ExcludeRules& rules() const { return ignore_files_.rules(); }
  bool rules_unreadable() const { return ignore_files_.are_unreadable(); }
  const AttributeFiles& attributes() const { return attributes_; }
  const SparsePatterns& sparse_patterns() const { return sparse_patterns_; }
  RefStore& refs() { return refs_; }
  ObjectDatabase& objects() { return objects_.get(); }
  const Head& head() const { return head_.get(); }
  // HEAD's tree; nullopt on an unborn branch.
  const std::optional<ObjectId>& head_tree() const { return head_.tree(); }
  bool head_is_ambiguous() const { return head_.is_ambiguous(); }
  const CurrentOperation& operation() const { return operation_; }

  // Every file that refresh() checks, except for the index.
  std::vector<std::string> files() const;
  // The files outside of the git directories, for a repository that cannot be read. An error if the
  // config cannot be read either.
  static Result<std::vector<std::string>> files_around(const Repository& repository,
                                                       const Result<Config>& config);

 private:
  LoadedParts parts() { return {repository_, git_, config_, refs_, objects_}; }
  Result<void> load_parts(std::optional<Config> config);
  Result<void> refresh_parts();
  Result<bool> unless_pending(Result<bool> changed);
  Result<void> refresh_git_and_config();
  Result<void> refresh_config(bool is_stale);
  Result<void> refresh_history();
  void mark_head_stale();

  const Repository repository_;
  RefStore refs_;
  CurrentGit git_;
  CurrentConfig config_;
  CurrentObjects objects_;
  HistoryOverrides overrides_;
  CurrentHead head_;
  IgnoreFiles ignore_files_;
  AttributeFiles attributes_;
  SparsePatterns sparse_patterns_;
  CurrentOperation operation_;
  bool is_loaded_ = false;
  bool awaits_git_ = false;
  Changes unreported_;  // changes that refresh() found before it failed
};

}  // namespace resident
