// WorktreeModel: the resident model of one worktree. Answers any status question, and tells what
// changed since it was last asked to tell.
//
// A question first takes in every event that the kernel has queued and re-checks the files around
// the worktree (by stat, but for what the gate covers), so it has seen every write that returned
// before it was asked.
//
// When events were lost the model is desynced: the next update() scans everything again. Until that
// is done the rows tell what they told before.
//
// What only git can compute (kUnsupported: grafts, an unknown index extension, ...) is asked of
// git: once for each question and change, since what git said holds until something changes.
//
// Nothing waits for a program, where the owner gives a GitRunner: what git has to say (about the
// content of files that only a filter can tell, about submodules, its config, and whatever is
// kUnsupported) is asked in the background and taken in by update(). Until then the rows that
// depend on it stay as they were, state() names it, and a question that needs it is kPending.
//
// Threads: one owner thread; scans use more inside a call.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "diff/path_limit.h"
#include "git/git_output_cache.h"
#include "model/repository_state.h"
#include "model/status_delta.h"
#include "model/told_problems.h"
#include "model/worktree_tree.h"
#include "status/content.h"
#include "status/tracked_rows.h"
#include "status/untracked_cache.h"
#include "submodule/submodule_files.h"
#include "submodule/submodules.h"

namespace resident {

class WorktreeModel {
 public:
  struct Options {
    Watcher* watcher = nullptr;  // null: every question scans
    // Spares looks at files around the worktree; used on the owner thread only. Only together with
    // a watcher. May be null.
    MetadataGate* gate = nullptr;
    // Whether anything was mounted or unmounted since it was last asked. Null: that cannot be told,
    // and every scan reads everything.
    std::function<bool()> mounts_changed = {};
    Batch::Limits pending = {};  // of what waits to be looked at
    unsigned threads = 1;
    bool trusted = true;  // false: nothing that the repository's own config names is run
    // The only pathspec that will be asked about; null: any. Not together with a watcher. Nothing
    // is looked at that lies outside of it.
    std::shared_ptr<const Pathspec> pathspec = nullptr;
    // What will be asked about untracked files; ignored ones only with kAll.
    UntrackedNeed untracked = UntrackedNeed::kAll;
    bool once = false;     // ScanContext::once
    bool asks_git = true;  // false: what only git can compute is an error (kUnsupported)
    // What Config::load has just said, if somebody asked already.
    std::optional<Config> config = {};
    // Who runs git in the background; null: it is run in place. `git_answered` is called, on any
    // thread, when update() has something to take in.
    std::shared_ptr<GitRunner> git = nullptr;
    std::function<void()> git_answered = {};
    // For the scans that update() makes: called now and then on the owner thread; true ends the
    // scan (kCancelled).
    std::function<bool()> tick = {};
  };
  // How a long step goes on; read by any thread.
  struct Progress {
    std::atomic<uint64_t> files_seen{0};
    std::atomic<uint64_t> files_expected{0};
  };

  // While it lives, what is called is part of one question, which was first put at `asked`, a
  // next_moment() of then. A question that is kPending is to be asked again once git has answered.
  using Moment = GitTasks::Moment;
  class Asking {
   public:
    Asking(WorktreeModel& model, Moment asked) : model_(model) { model_.asked_ = asked; }
    ~Asking() { model_.asked_.reset(); }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

   private:
    WorktreeModel& model_;
  };

  WorktreeModel(FileSystem& fs, Repository repository, const Options& options);
  ~WorktreeModel();

  // Looks at everything, for the first time or again. What was watched all the while and is as it
  // was read is not listed again. kCancelled leaves everything as it was. `tick`
  // is called now and then on the calling thread while it lasts.
  Result<void> scan(const std::atomic<bool>* cancelled = nullptr,
                    const std::function<void()>& tick = nullptr);
  // Takes in everything that happened. Cheap when nothing did. An error (a truncated index, a
  // missing HEAD) is also what answer() gives until it is gone. kNotFound with gone() set: the
  // worktree was removed.
  Result<void> update();
  bool gone() const { return gone_; }
  // Non-empty: events were lost (or everything is to be looked at again), and update() will scan.
  const std::string& desynced() const { return desynced_; }
  // What is known of the files may be wrong, because of `reason`: they are looked at again by the
  // next update().
  void distrust(const std::string& reason);
  // Takes the queues of the watcher and of the gate in, without anything else; what it says is
  // applied by the next update().
  void drain();
  // Looks for what no event told: a slice of a round, as WorktreeTree::sweep() makes it; while git
  // answers, a round is one question to git. True where update() is to be called, which takes in
  // what was found. Does nothing while desynced: a scan is due.
  bool sweep(uint64_t limit, const std::function<bool()>& interrupted = {});
  WorktreeTree::SweepProgress sweep_progress() const;
  // What state() says of it, for whoever paces it.
  void set_sweep_state(const SweepState& state) { sweep_state_ = state; }
  // Grows with everything that was taken in.
  uint64_t activity() const { return activity_; }
  Moment next_moment() const { return tasks_.next(); }
  // What the owner waits for, for the longest time; nullopt: nothing.
  std::optional<GitTasks::Awaited> awaited() const { return tasks_.longest_awaited(); }
  // When update() is to be called, and take_delta(), though nothing tells of a change: state() then
  // names what is waited for, or git is asked again about files that had not settled.
  std::optional<std::chrono::steady_clock::time_point> due() const;
  // Nobody's question is kPending any more.
  void end_questions() { git_outputs_.drop_forgotten(); }

  // kUnsupported where git must answer and `query` wants to know of the operation, or has a
  // pathspec: what is asked of git in our stead then has to be the command as it was written.
  Result<StatusResult> answer(const StatusQuery& query);
  // Like answer(), right after scan() or update(), but kUnsupported if git would write to stderr or
  // must answer itself: git is then to be run in the asker's place.
  Result<StatusResult> answer_if_no_warnings(const StatusQuery& query);
  Result<std::vector<bool>> ignored(const std::vector<std::string>& paths);
  // nullopt where HEAD (stage -1) or the index (stage 0..3) has no such file.
  Result<std::optional<std::string>> content(const std::string& path, int stage);

  // What changed since the last call, with versions one apart; nullopt where nothing did.
  std::optional<StatusDelta> take_delta();
  // Everything, as one delta from version 0 to the current one.
  StatusDelta whole();

  const Repository& repository() const { return repository_; }
  // git answers for the whole repository, and the model tells only what git says.
  bool is_delegated() const { return !delegated_.empty(); }
  // What git says to a command of a user's, from the directory `prefix` ("" or "sub/dir/"); while
  // is_delegated(), right after update(). Kept until something changes.
  Result<GitOutput> git_output(const std::vector<std::string>& arguments,
                               const std::string& prefix);
  // How often git was asked while it answers for the whole worktree.
  uint64_t git_runs() const { return git_outputs_.runs(); }
  // kPending where config() and what follows are to be read again once git has answered.
  Result<void> check_known() const;
  // Null until it was read; out of date while is_delegated().
  const Config* config() const { return state_ ? &state_->config() : nullptr; }
  // Those of the git on PATH; null like config().
  const GitRules* git_rules() const { return state_ ? &state_->git_rules() : nullptr; }
  std::string git_identity() const { return state_ ? state_->git_identity() : ""; }
  std::vector<std::string> metadata_files() const;
  Progress& progress() { return progress_; }
  ModelState state() const;
  // update() is to be called from time to time, though no event comes.
  bool polls() const { return tree_ && tree_->polls(); }
  const WorktreeTree::Work& work() const { return tree_->work(); }

 private:
  struct Staged {
    std::vector<PathChange> raw;  // HEAD against index without renames, by path
    std::vector<UnmergedPath> unmerged;
    std::map<std::string, PathChange> renamed;  // with renames as configured
    bool git_warns = false;                     // while it looks for them
  };
  struct Rows {
    ChangedRows changed;
    UnmergedRows unmerged;
    bool git_warns = false;  // while it looks for renames
  };
  // When git was last asked what may have another answer by now though nothing tells so.
  struct LastAsked {
    Moment moment = 0;
    std::chrono::steady_clock::time_point at{};
    int for_unsettled = 0;  // times in a row, because of files that had not settled
  };
  // The same of what is asked in the background.
  struct Asked : LastAsked {
    Moment task = 0;     // that asks now; 0: none does
    Moment heard = 0;    // when that was asked which is known
    bool again = false;  // is to be asked once that has answered
  };
  struct SubmoduleKnown {
    std::string path = {};  // from the root
    SubmoduleState state = {};
    FileSet files = {};
    bool files_tell = true;  // nothing but `files` and what is watched decides `state`
    bool git_warns = false;
    std::optional<Error> error = {};
    Asked asked = {};
  };

  Result<void> load_index();
  bool refresh_index();
  Index::LoadOptions index_options() const;
  void set_content_rules();
  Result<void> refresh_metadata();
  Result<Config> ask_config();
  std::optional<std::chrono::steady_clock::time_point> question_due() const;
  Result<GitVersion> ask_git_version(const GitProgram& program);
  // Whether to ask once more, though nothing tells of a change.
  bool is_to_be_asked_again(const LastAsked& last) const;
  bool is_to_be_asked_again(const LastAsked& last, const FileSet& files) const {
    return !files.is_settled() && is_to_be_asked_again(last);
  }
  void note_asked(LastAsked& last) const;
  static void note_heard(Asked& asked);
  // When to do so unasked.
  std::optional<std::chrono::steady_clock::time_point> due_again(const LastAsked& last) const;
  std::optional<std::chrono::steady_clock::time_point> due_again(const LastAsked& last,
                                                                 const FileSet& files) const;
  Moment asked() const { return asked_.value_or(tasks_.next()); }
  void ask_filters();
  void look_after_filter(const std::string& path);
  void compare_again();
  void drop_filters_of_others();
  Result<void> check_known(const StatusQuery& query);
  GitCommand git_command(std::vector<std::string> arguments) const;
  Result<void> rescan_tree(const WorktreeTree::ScanControl& control);
  Result<void> scan_tree(const WorktreeTree::ScanControl& control);
  void pend(Batch batch);
  bool root_is_there();
  void tidy_gate();
  Result<void> take_in();
  Result<void> take_in_worktree();
  bool look_at_pending();
  Result<void> finish();
  Result<void> scan_ourselves(const WorktreeTree::ScanControl& control);
  Result<void> delegate(Error reason, WorktreeTree::ScanControl control);
  std::vector<std::string> delegation_files() const;
  void record_delegation_files();
  Result<void> diff_head();
  Result<void> expand_index(std::vector<uint32_t> directories);
  Result<void> update_submodules();
  void find_gitlinks(std::set<uint32_t>& to_look);
  Result<void> update_gitmodules();
  void take_gitmodules(const Result<GitOutput>* said);
  Result<void> update_submodule(uint32_t position);
  void ask_submodule(SubmoduleKnown& known);
  void take_submodule(const std::string& path, Moment task, const Result<GitOutput>& said);
  Result<SubmoduleLook> look_by_answer(const std::string& path, const ObjectId& in_index,
                                       const Result<GitOutput>& said) const;
  // Git is asked, and what it said before is of before the question.
  bool is_pending(const Asked& asked) const;
  // kPending where that is so.
  Result<void> check_gitmodules() const;
  Result<void> check_submodule(const SubmoduleKnown& known) const;
  Result<void> check_submodules() const;
  Result<StoredGitmodules> stored_gitmodules();
  SubmoduleStatus submodule_asker();
  Result<void> update_branch();
  Result<BranchStatus> read_branch(bool ahead_behind);
  Result<void> take_in_for_git();
  Result<void> follow_git();
  Result<void> tell_as_git();
  void take_rows_of_git(StatusResult status);
  Result<StatusResult> ask_git_kept(const StatusQuery& query);
  std::optional<std::vector<std::string>> files_of_answers();
  void note_untracked(const std::set<std::string>& before, const std::set<std::string>& after);
  const std::set<std::string>& untracked() const;

  Result<std::vector<PathChange>> with_renames(std::vector<PathChange> changes,
                                               std::span<const UnmergedPath> unmerged,
                                               const StatusQuery& query, bool& git_warns);
  Result<std::string> stored_content(const std::string& path, bool& git_warns);
  UnmergedEntry unmerged_row(const std::string& path, const StatusQuery& query) const;
  std::vector<UnmergedPath> in_worktree(std::span<const UnmergedPath> unmerged) const;
  StatusQuery told_query() const;
  bool has_told_staged(const StatusQuery& query) const;
  bool has_told_rows(const StatusQuery& query) const;
  PathLimit limit_of(const std::shared_ptr<const Pathspec>& pathspec);
  Result<Rows> build_rows(const StatusQuery& query);
  Result<void> update_rows();
  void update_row(uint32_t position, const StatusQuery& query);
  void replace_rows(Rows now);
  std::optional<SubmoduleState> visible_submodule(uint32_t position,
                                                  const StatusQuery& query) const;
  bool is_ignored_submodule(uint32_t position, const StatusQuery& query) const;
  Result<void> check_answerable(const StatusQuery& query);
  PathChange change_of(uint32_t position, const StatusQuery& query) const;
  Result<StatusResult> own_answer(const StatusQuery& query, bool without_warnings);
  // True if git would warn that the pathspec's common prefix is no directory. It does not where the
  // first component of the prefix is missing too.
  bool misses_start_of_walk(const StatusQuery& query) const;
  bool index_was_sparse() const { return sparse_as_read_ && !sparse_as_read_->empty(); }
  bool was_sparse_at(const std::vector<PathChange>& changes) const;
  // Whether git unfolds its sparse index for the question, and has advice on that.
  bool git_advises_on_unfolding(const StatusQuery& query) const;
  Result<void> check_no_warnings(const StatusQuery& query);
  Result<void> add_branch(const StatusQuery& query, StatusResult& result);
  Result<void> add_operation(StatusResult& result);
  Result<std::optional<SparseCheckout>> sparse_checkout() const;
  Result<std::optional<ObjectId>> blob_in_sparse(std::string_view path);
  Result<std::optional<ObjectId>> blob_in_tree(std::optional<ObjectId> tree, std::string_view path);

  FileSystem& fs_;
  const Repository repository_;
  const Options options_;
  Progress progress_;

  // Before everything that asks.
  GitTasks tasks_;
  std::optional<Moment> asked_;  // the question that is being answered
  struct ConfigSaid {
    Result<GitOutput> output;
    Timestamp asked_at;
  };
  Asked config_asked_;
  // What it said to an earlier question than this tells of files that may have been half made.
  Moment config_wanted_ = 0;
  std::optional<ConfigSaid> config_said_;  // and not read yet
  // What it says, until it is taken over: something else can keep the repository from being read.
  std::optional<Config> config_kept_;
  // Why it could not be read, which holds until one of these files changes or somebody asks.
  std::optional<Error> config_error_;
  FileSet config_error_files_;
  Moment version_task_ = 0;
  Moment version_asked_ = 0;
  std::optional<GitProgram> version_program_;  // that was asked
  std::optional<Error> version_error_;

  std::unique_ptr<RepositoryState> state_;
  std::shared_ptr<const Index> index_;
  std::shared_ptr<Index> refreshable_index_;  // index_, unless that was expanded
  FileSet index_files_;
  FileSet shared_index_files_;  // of a split index
  FileContent content_;
  std::unique_ptr<WorktreeTree> tree_;
  bool scanned_ = false;  // the tree stands
  bool gone_ = false;
  // The sparse directories of the index as it was read; nullopt where its file is none of a sparse
  // one.
  std::optional<std::vector<std::string>> sparse_as_read_;
  bool index_is_new_ = false;  // index_ is not the tree's yet
  // What index_, which is the tree's, says since it was refreshed. Where that is not taken over at
  // once, a scan is due.
  Index::Refreshed refreshed_;
  bool settings_differ_ = false;  // the tree was scanned with others
  std::string delegated_;         // non-empty: git answers, because of this
  FileSet delegated_files_;       // what that depends on
  // While git answers: what it said, whether that holds until something happens in the worktree or
  // to these files, and why it refused, if it did.
  GitOutputCache git_outputs_{tasks_};
  bool git_outputs_hold_ = false;
  // When git was last asked for the rows, and what was told of its answers.
  LastAsked followed_;
  Moment told_as_git_ = 0;
  FileSet answer_files_;
  std::optional<Error> git_refusal_;
  std::optional<Error> failure_;
  std::string desynced_;
  bool watches_lost_ = false;  // since the last scan that read everything
  bool scanning_ = false;
  std::chrono::milliseconds scan_time_{0};  // of a one-shot scan, which is part of its answer
  Batch pending_;
  uint64_t activity_ = 0;
  SweepState sweep_state_;
  uint64_t rounds_swept_ = 0;  // by the tree, as of the last sweep()
  uint64_t rounds_by_git_ = 0;
  MetadataGate::Coverage root_coverage_;
  // What the gate was last set to, and when that was last compared; 0: it is to be compared.
  std::vector<std::string> gated_files_;
  uint64_t gate_generation_ = 0;

  Staged staged_;
  bool staged_differs_ = true;      // staged_ is to be computed anew
  bool submodules_differ_ = false;  // what git makes of their files may be otherwise
  bool gitlinks_differ_ = true;     // which there are, and what git makes of .gitmodules
  bool rows_differ_ = true;         // every row is to be computed anew
  bool has_gitlinks_ = false;       // in the index, at any stage
  std::map<uint32_t, SubmoduleKnown> submodules_;
  SubmoduleIgnores submodule_ignores_;
  FileSet submodule_files_;  // .gitmodules
  Asked gitmodules_asked_;
  std::optional<Error> gitmodules_error_;

  Rows rows_;
  std::set<uint32_t> touched_rows_due_;  // positions whose row is to be computed anew
  bool has_intent_to_add_ = false;
  std::set<std::string> untracked_by_git_;  // while git answers
  std::optional<BranchStatus> branch_;
  bool branch_differs_ = true;
  FileSet branch_files_;

  // Since the last take_delta().
  std::set<std::string> touched_rows_;
  std::map<std::string, bool> touched_untracked_;  // -> was it listed
  bool ignore_rules_changed_ = false;
  bool content_changed_ = false;
  std::chrono::steady_clock::time_point since_{};
  uint64_t version_ = 0;
  std::optional<BranchStatus> told_branch_;
  std::optional<Operation> told_operation_;
  std::optional<ModelState> told_state_;
  ToldProblems told_problems_;
};

}  // namespace resident
