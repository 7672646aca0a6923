// WorktreeModel: the resident model of one worktree. It answers any status question, and makes
// deltas of the changes since the last delta.
//
// A question first applies all events that the kernel has queued. It also checks the files around
// the worktree by stat, unless the gate covers them. It therefore sees every write that returned
// before the question was asked.
//
// If events were lost, the model is desynced: the next update() scans everything again. The rows
// stay unchanged until that scan ends.
//
// If only git can compute an answer (kUnsupported: grafts, an unknown index extension, ...), git is
// asked. It runs once per question and change: its answer stays valid until something changes.
//
// If the owner supplies a GitRunner, no call waits for a program. The model then asks git in the
// background about filtered files, submodules, its config, and everything kUnsupported. In update()
// it applies the answers. Until then the dependent rows stay unchanged, state() names the request,
// and a question that needs it is kPending. Commits are counted the same way: each update counts
// some.
//
// The model only coordinates; its parts keep the data. The parts are CurrentIndex, WorktreeTree,
// StagedChanges, KnownSubmodules, StatusRows, CurrentBranch, GitDelegate (while git answers) and
// DeltaMaker. The counters in InputVersions show a part whether it must be rebuilt.
//
// Threads: one owner thread; scans use more threads inside a call.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "delta/delta_maker.h"
#include "delta/status_delta.h"
#include "explain/explanation.h"
#include "git_fallback/git_delegate.h"
#include "model/current_branch.h"
#include "model/known_submodules.h"
#include "model/model_view.h"
#include "model/prompt_facts.h"
#include "model/repository_place.h"
#include "model/staged_changes.h"
#include "model/status_rows.h"
#include "repo_state/background_git.h"
#include "repo_state/current_index.h"
#include "repo_state/gated_files.h"
#include "repo_state/repository_state.h"
#include "status/content.h"
#include "tree/change_journal.h"
#include "tree/worktree_tree.h"

namespace resident {

class WorktreeModel {
 public:
  struct Options {
    Watcher* watcher = nullptr;  // null: every question scans
    // Avoids stat() of files around the worktree. Used on the owner thread only. Requires a
    // watcher. May be null.
    MetadataGate* gate = nullptr;
    // Returns true if anything was mounted or unmounted since the last call. Null: unknown; every
    // scan reads everything.
    std::function<bool()> mounts_changed = {};
    // Returns the mount points below the worktree's root. Null: unknown.
    std::function<std::vector<std::string>()> mounted_below = {};
    Batch::Limits pending = {};  // limits of the pending events
    unsigned threads = 1;
    bool trusted = true;  // false: runs no program that the repository's own config names
    // The only pathspec of all questions; null: any pathspec. Not with a watcher. Files outside the
    // pathspec are not checked.
    std::shared_ptr<const Pathspec> pathspec = nullptr;
    // The untracked files that questions will ask about; ignored files only with kAll.
    UntrackedNeed untracked = UntrackedNeed::kAll;
    bool once = false;               // ScanContext::once
    size_t filters_told_as_git = 0;  // passed to FilterQuestions::tell_as_git(), unless 0
    bool asks_git = true;  // false: an answer that only git can compute is an error (kUnsupported)
    // The result of a Config::load that just ran, if any.
    std::optional<Config> config = {};
    // Runs git in the background; null: git runs in place.
    std::shared_ptr<GitRunner> git = nullptr;
    // Called on any thread when update() has answers to apply or work to continue.
    std::function<void()> git_answered = {};
    Now now = steady_now();
    // True: if the worktree gets a different repository, questions are kPending and moved_to()
    // names it. The owner then makes a model of that repository. False: git answers from then on.
    // Requires a watcher.
    bool owner_follows = false;
    // For scans inside update(): called regularly on the owner thread; true cancels the scan
    // (kCancelled).
    std::function<bool()> tick = {};
  };
  // Progress of a long step; read by any thread.
  struct Progress {
    std::atomic<uint64_t> files_seen{0};
    std::atomic<uint64_t> files_expected{0};
  };

  // Scope of one question. `asked`: a next_request() from when the question was first asked, or
  // earlier. `asked_at`: the time of the question. Inside the scope, update() polls everything
  // unless a full poll began since then. If a question is kPending, ask it again once git has
  // answered.
  using RequestId = BackgroundGit::RequestId;
  using Clock = BackgroundGit::Clock;
  class Asking {
   public:
    Asking(WorktreeModel& model, RequestId asked,
           Clock::time_point asked_at = Clock::time_point::max())
        : model_(model) {
      model_.git_.begin_question(asked);
      model_.asked_at_ = asked_at;
    }
    ~Asking() {
      model_.git_.end_question();
      model_.asked_at_.reset();
    }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

   private:
    WorktreeModel& model_;
  };

  WorktreeModel(FileSystem& fs, Repository repository, const Options& options);
  ~WorktreeModel();

  // Checks everything, for the first time or again. Does not list a directory again if its watch
  // held and it is unchanged. kCancelled: nothing changed. `tick` is called regularly on the
  // calling thread.
  Result<void> scan(const std::atomic<bool>* cancelled = nullptr,
                    const std::function<void()>& tick = nullptr);
  // Applies all changes. Cheap if nothing changed. After an error (a truncated index, a missing
  // HEAD), answer() returns the same error until it is gone. Error kNotFound with gone() set: the
  // worktree was removed. Polls unwatched directories per `poll`; inside a question, only if they
  // were not polled since it was asked.
  using Poll = PollScope;
  Result<void> update(Poll poll = Poll::kEverything);
  bool gone() const { return gone_; }
  // Non-empty: events were lost, or a full check was requested; the next update() scans.
  const std::string& desynced() const { return desynced_; }
  // The known file states may be wrong, for `reason`. The next update() checks all files again.
  void mark_desynced(const std::string& reason);
  // Drains only the queues of the watcher and of the gate. The next update() applies the events.
  void drain();
  // Checks a part of the tree for changes without an event, as WorktreeTree::sweep(). While git
  // answers, a round is a single question to git. True: call update() to apply the changes it
  // found. Does nothing while desynced: a scan is due.
  bool sweep(uint64_t limit, const std::function<bool()>& interrupted = {});
  WorktreeTree::SweepProgress sweep_progress() const;
  // Sets the sweep's part of state(). Called by the owner, which paces the sweep.
  void set_sweep_state(const SweepState& state) { sweep_state_ = state; }
  // Grows with every applied change.
  uint64_t activity() const { return activity_; }
  RequestId next_request() const { return git_.tasks().next(); }
  // The request that the owner has waited for longest; nullopt: none.
  std::optional<GitTasks::Awaited> awaited() const;
  // The time to call update() and take_delta() without an event; nullopt: none. At that time
  // state() names the awaited request, or git is asked again about files that had not settled.
  std::optional<std::chrono::steady_clock::time_point> due() const;
  // Call when no question is kPending any more.
  void end_questions() { delegate_.drop_forgotten(); }

  // kUnsupported if git must answer and `query` asks for the operation or has a pathspec. The
  // caller then has to run git with the original command line.
  Result<StatusResult> answer(const StatusQuery& query);
  // Like answer(), right after scan() or update(). kUnsupported if git would write to stderr or
  // must answer itself: run git in place of the client.
  Result<StatusResult> answer_if_no_warnings(const StatusQuery& query);
  // The facts for a prompt. If only git can answer, they come from git's commands.
  Result<PromptStatus> prompt(const PromptQuery& query);
  Result<std::vector<bool>> ignored(const std::vector<std::string>& paths);
  // nullopt: HEAD (stage -1) or the index (stage 0..3) has no such file.
  Result<std::optional<std::string>> content(const std::string& path, int stage);
  // Why `path` has its row in the status. It is from the root, normalised, without a slash at the
  // end; "" is the root. `as_directory`: see explain_path(). Error kUnsupported if git must answer.
  Result<Explanation> explain(const std::string& path, bool as_directory = false);

  // The names that changed since an earlier call returned `token`. An unknown token, or any doubt,
  // means everything. Applies pending events, but polls nothing and does not wait for git. May
  // report more than changed, never less.
  struct Changes {
    bool everything = false;
    std::string token;  // for the next call
    std::vector<std::string> names;
  };
  enum class ChangesFor : uint8_t {
    // For GitNames: names that make git check all changes and all entries that are not clean.
    kGit,
    // The same for a command that does not stage its later write to .gitmodules.
    kGitKeepingModules,
    // Paths, each once. A directory that came or went ends in '/' and stands for all below. A
    // submodule's path stands for its content and its commit.
    kPeople,
  };
  Changes changes_since(std::string_view token, ChangesFor whom);
  // True if the model answers git in place of git's own daemon.
  bool stands_in_for_daemon() const { return !git_.asks_monitor(); }

  // Deltas contain BranchDetails only if `wanted`; from the next update() on. Otherwise no work is
  // done for them. Commits are visited in the same steps as for ahead and behind. False: the
  // setting was the same before.
  bool want_details(bool wanted);

  // Adds a problem of the owner to the next take_delta().
  void record_problem(std::string problem) { problems_.push_back(std::move(problem)); }
  // The changes since the last call; nullopt: none. Each delta's version is the last version plus
  // 1.
  std::optional<StatusDelta> take_delta();
  // The whole state, as one delta from version 0 to the current one.
  StatusDelta whole();

  const Repository& repository() const { return repository_; }
  // Null: not moved, or not known.
  const Repository* moved_to() const { return place_.found(); }
  // git answers for the whole repository; the model only passes its answers on.
  bool is_delegated() const { return delegate_.is_active(); }
  // git's answer to a user's command, from the directory `prefix` ("" or "sub/dir/"). Call while
  // is_delegated(), right after update(). Kept until something changes.
  Result<GitOutput> git_output(const std::vector<std::string>& arguments,
                               const std::string& prefix);
  // With Options::filters_told_as_git: git's output about files with an external filter.
  const GitOutput* said_of_filters() const { return content_.filters().said(); }
  // How often git ran while it answered for the whole worktree.
  uint64_t git_runs() const { return delegate_.runs(); }
  // kPending: read config() and the functions below again once git has answered.
  Result<void> check_known() const;
  // Null until it is read; stale while is_delegated().
  const Config* config() const { return state_->is_loaded() ? &state_->config() : nullptr; }
  // The rules of the git on PATH; null until they are read.
  const GitRules* git_rules() const { return state_->is_loaded() ? &state_->git_rules() : nullptr; }
  std::string git_identity() const { return state_->is_loaded() ? state_->git_identity() : ""; }
  std::vector<std::string> metadata_files() const;
  Progress& progress() { return progress_; }
  ModelState state() const;
  // True: call update() from time to time, even without an event.
  bool polls() const { return tree_ && tree_->state().polls(); }
  // True: call it with Poll::kRecent soon; a hint reported a change.
  bool is_hinted() const { return tree_ && !tree_->state().watches.hinted().empty(); }
  // Polls the directories of these files first. If there are many, the first files count.
  void prioritize(std::span<const std::string> paths) { tree_->prioritize(paths); }
  // When each poll scope was last polled, for how long, and with how much processor time.
  struct Polled {
    Clock::time_point began = Clock::time_point::min();
    Clock::duration took{};
    Clock::duration cost{};
  };
  const Polled& polled_everything() const { return polled_everything_; }
  const Polled& polled_names() const { return polled_names_; }
  const Polled& polled_recent() const { return polled_recent_; }
  const WorktreeTree::Work& work() const { return tree_->state().work; }

 private:
  KnownSubmodules::StartScan untrusted_scan();

  // --- Around the worktree
  Result<void> refresh_metadata();
  void apply_repository_changes(const RepositoryState::Changes& changes);
  Result<void> refresh_index();
  Result<void> check_repository() const;
  void set_content_rules();
  ConfigQuestion& config_question() const { return state_->current_config().question(); }

  // --- Changes in the worktree
  void pend(Batch batch);
  bool root_is_there();
  Result<void> apply_changes();
  Result<void> apply_worktree_changes();
  bool apply_pending_paths();
  void poll();
  struct LookStart {
    Clock::time_point at;
    std::chrono::nanoseconds cpu;
  };
  LookStart begin_look() const;
  void record_verification(Poll scope, const LookStart& start);
  void bind_tree();
  Result<void> rescan_tree(const WorktreeTree::ScanControl& control);
  Result<void> scan_tree(const WorktreeTree::ScanControl& control);
  Result<void> scan_ourselves(const WorktreeTree::ScanControl& control);
  Result<void> scan_without_git(const WorktreeTree::ScanControl& control);

  // --- Derived state
  Result<void> finish();
  Result<void> diff_head();
  Result<void> expand_index(std::vector<uint32_t> directories);
  Result<void> update_parts();
  // Called before every answer.
  Result<void> come_up_to_date();
  Result<void> update_branch(const ModelView& view);
  // kPending while commits are being counted.
  Result<void> count_branch(const ModelView& view);
  void update_details(const ModelView& view);

  // --- Files with an external filter
  void ask_filters();
  // Asks again about files whose answers may be stale for the current question. `counts(path)`
  // limits the files.
  Result<void> ask_filters_again(const std::function<bool(const std::string&)>& counts);
  void recheck_filtered_file(const std::string& path);
  void compare_again();
  void drop_filters_of_others();

  // --- While git answers
  Result<void> delegate(Error reason, WorktreeTree::ScanControl control);
  std::vector<std::string> delegation_files() const;
  void record_delegation_files();
  std::optional<std::vector<std::string>> files_of_answers();
  Result<void> apply_changes_for_git();
  Result<void> follow_git();
  Result<void> tell_as_git();
  void update_details_by_git();

  // --- Changed names
  bool knows_every_change() const;
  std::vector<std::string> names_for_people(const ChangeJournal::Since& since) const;
  std::optional<std::vector<std::string>> names_for_git(const ChangeJournal::Since& since,
                                                        std::string_view token,
                                                        ChangesFor whom) const;

  // --- Questions
  ModelView view();
  StatusRows::Sources sources(const ModelView& view) const { return {view, staged_, submodules_}; }
  Result<void> check_known(const ModelView& view, const StatusQuery& query);
  Result<void> check_known_at(const ModelView& view, const std::string& path);
  Result<StatusResult> own_answer(const StatusQuery& query, bool without_warnings);
  Result<PromptStatus> own_prompt(const PromptQuery& query);
  Result<void> add_branch(const ModelView& view, const StatusQuery& query, StatusResult& result);
  Result<void> add_operation(const ModelView& view, StatusResult& result) const;
  const std::set<std::string>& untracked() const;
  DeltaMaker::Now now() const;

  FileSystem& fs_;
  const Repository repository_;
  const Options options_;
  Progress progress_;
  InputVersions input_versions_;
  BackgroundGit git_;  // constructed before every part that uses it
  RepositoryPlace place_;
  const std::unique_ptr<RepositoryState> state_;
  CurrentIndex index_;
  FileContent content_;
  const PathLimit limit_;
  ChangeJournal journal_;
  std::unique_ptr<WorktreeTree> tree_;
  StagedChanges staged_;
  KnownSubmodules submodules_;
  StatusRows rows_;
  CurrentBranch branch_;
  PromptFacts prompt_;
  bool wants_details_ = false;
  std::optional<BranchDetails> details_;  // unset: not wanted, or not known yet
  GitDelegate delegate_;
  std::set<std::string> untracked_by_git_;  // while git answers
  OutsidePrograms programs_of_git_;  // programs that git's answer depends on, if all are known
  DeltaMaker deltas_;
  std::vector<std::string> problems_;  // the owner's, not reported yet
  GatedFiles gated_files_;

  bool scanned_ = false;  // the tree is complete
  bool scanning_ = false;
  bool settings_differ_ = false;  // the tree has other settings, or is older than its index
  bool watches_lost_ = false;     // since the last scan that read everything
  std::chrono::milliseconds scan_time_{0};  // duration of a one-shot scan, part of its answer
  bool gone_ = false;
  MetadataGate::Coverage root_coverage_;
  std::optional<Error> failure_;
  std::string desynced_;
  Batch pending_;
  uint64_t activity_ = 0;
  std::optional<Clock::time_point> asked_at_;  // for the current question
  Poll wanted_poll_ = Poll::kNothing;          // for the current update
  Polled polled_everything_;
  Polled polled_names_;
  Polled polled_recent_;
  SweepState sweep_state_;
  uint64_t rounds_swept_ = 0;  // the tree's rounds, as of the last sweep()
  uint64_t rounds_by_git_ = 0;
};

}  // namespace resident
